#pragma once

#include "explain/distances.h"
#include "explain/stack_instances.h"

#include <unordered_map>
#include <vector>

namespace nestor::explain {

/// Shortest paths from states, stacks and all, by the distances inside frames. What an exit is
/// worth depends on the frames below, so that is found out for one stack from the stack below it.
class PathFinder {
 public:
  /// From the empty stack upwards. `at_last_exit`: what is left to go at exits under the empty
  /// stack; kFar if they lead nowhere.
  PathFinder(const InstanceGraph& graph, StackInstances& stacks, const MatchedDistances& exits,
             const GoalDistances& goals, Distance at_last_exit);
  /// To one exit of the frame that is on top of `base`, a place among its wanted exits.
  PathFinder(const InstanceGraph& graph, StackInstances& stacks, const MatchedDistances& exits,
             model::StackId base, std::size_t exit);

  Distance distance(const model::State& state) { return distance(state.stack, state.node); }
  /// A step that brings a state with a finite distance above 0 closer.
  model::Move next(const model::State& state);

 private:
  using ExitValues = std::vector<Distance>;  // one for each wanted exit: what follows it costs

  Distance distance(model::StackId stack, model::NodeId n);
  const ExitValues& values(model::StackId stack);
  ExitValues values_above(model::StackId below, model::BoxId box,
                          const ExitValues& values_below) const;
  Distance seen_from(std::uint32_t instance, model::NodeId n, const ExitValues& values) const;
  bool try_successors(model::StackId stack, model::NodeId n, Distance wanted, model::Move& found);

  const InstanceGraph& graph_;
  StackInstances& stacks_;
  const MatchedDistances& exits_;
  const GoalDistances* goals_;  // none on the way to an exit
  std::unordered_map<model::StackId, ExitValues> values_;
};

}  // namespace nestor::explain
