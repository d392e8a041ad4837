#pragma once

#include "model/rsm.h"

#include <cstddef>
#include <vector>

namespace nestor::probe {

/// A strongly connected component of the states that can be reached.
struct StateComponent {
  std::size_t size = 0;
  model::NodeId first;   ///< the state of the smallest number
  bool is_left = false;  ///< a transition leads to another one
  bool is_loop = false;  ///< holds a cycle
};

/// Of a model without boxes.
std::vector<StateComponent> state_components(const model::Rsm& model);

}  // namespace nestor::probe
