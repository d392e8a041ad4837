#pragma once

#include "witness/witness.h"

#include <string>
#include <string_view>

namespace nestor::witness {

/// The paths of a witness as a Graphviz graph: the nodes that they visit, one cluster a procedure,
/// each transition once with the numbers of the steps that take it.
std::string witness_dot(const model::Rsm& model, const Witness& witness, std::string_view title);

}  // namespace nestor::witness
