#pragma once

#include "view/procedure_graph.h"

#include <nestor/model.h>

namespace nestor::view {

/// States that were explored, as a procedure: all of them in the order of Model::components(), if
/// they and their transitions are not too many; else those looked at and what is near the initial
/// ones. Names are made for these alone, which takes longer than finding a state.
Component state_component(const Model& model, const std::string& name, const LookedAt& looked_at);

}  // namespace nestor::view
