#pragma once

#include "model/rsm.h"

#include <compare>
#include <string>
#include <vector>

namespace nestor::probe {

/// A state of a model: the calls that are open, outermost first, and a plain node. A call node is
/// written as the entry it stands for, a return node as the exit (docs/semantics.md), so each state
/// is written one way only.
struct Configuration {
  std::vector<model::BoxId> stack;
  model::NodeId node;

  friend auto operator<=>(const Configuration&, const Configuration&) = default;
};

std::vector<Configuration> initial_configurations(const model::Rsm& model);
/// Each once.
std::vector<Configuration> successors(const model::Rsm& model, const Configuration& state);
/// `main.call/f.inner/g.node`: the open calls, then the node.
std::string describe(const model::Rsm& model, const Configuration& state);

}  // namespace nestor::probe
