#pragma once

#include "model/rsm.h"

namespace nestor::engine {

/// The running example of [DWF24], figure 3, and the data-flow example of figure 1. The figures are
/// drawings; paper_examples.cpp says which sentence of the text fixes which part.
model::Rsm figure_3();
model::Rsm figure_1();

/// A node by name: `n1`, or `b1.n4` for the call or return node of a box.
model::NodeId find_node(const model::Rsm& model, std::string_view name);

}  // namespace nestor::engine
