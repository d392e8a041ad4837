#pragma once

#include "model/rsm.h"

#include <string>

namespace nestor::driver {

/// What `scc` says of a model without boxes: sizes and counts of the strongly connected components
/// of the states that can be reached, and which of them cannot be left.
std::string strong_components_text(const model::Rsm& model);

}  // namespace nestor::driver
