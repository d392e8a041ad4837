#pragma once

#include "explain/distances.h"
#include "witness/witness.h"

#include <unordered_map>
#include <vector>

namespace nestor {

/// The stacks of a witness and the instance in which each of them is.
class StackFrames {
 public:
  StackFrames(const Frames& graph, StackTable& stacks)
      : graph_(graph), stacks_(stacks), instances_{Labelling::kRoot} {}

  StackTable& stacks() const { return stacks_; }
  std::uint32_t instance(StackId stack) const {
    while (instances_.size() <= stack.value()) {  // stacks below have smaller ids
      const StackId next(instances_.size());
      instances_.push_back(
          graph_.callee(instances_[stacks_.below(next).value()], stacks_.top(next)));
    }
    return instances_[stack.value()];
  }

 private:
  const Frames& graph_;
  StackTable& stacks_;
  mutable std::vector<std::uint32_t> instances_;  // as far as asked for
};

/// Shortest paths from states, stacks and all, by the distances inside frames. What an exit is
/// worth depends on the frames below, so that is found out for one stack from the stack below it.
class PathFinder {
 public:
  /// From the empty stack upwards. `at_last_exit`: what is left to go at exits under the empty
  /// stack; kFar if they lead nowhere.
  PathFinder(const Frames& graph, StackFrames& frames, const ExitDistances& exits,
             const GoalDistances& goals, Distance at_last_exit);
  /// To one exit of the frame that is on top of `base`, a place among its wanted exits.
  PathFinder(const Frames& graph, StackFrames& frames, const ExitDistances& exits, StackId base,
             std::size_t exit);

  Distance distance(const State& state) { return distance(state.stack, state.node); }
  /// A step that brings a state with a finite distance above 0 closer.
  Move next(const State& state);

 private:
  using ExitValues = std::vector<Distance>;  // one for each wanted exit: what follows it costs

  Distance distance(StackId stack, NodeId n);
  const ExitValues& values(StackId stack);
  ExitValues values_above(StackId below, BoxId box, const ExitValues& values_below) const;
  Distance seen_from(std::uint32_t instance, NodeId n, const ExitValues& values) const;
  bool try_successors(StackId stack, NodeId n, Distance wanted, Move& found);

  const Frames& graph_;
  StackFrames& frames_;
  const ExitDistances& exits_;
  const GoalDistances* goals_;  // none on the way to an exit
  std::unordered_map<StackId, ExitValues> values_;
};

}  // namespace nestor
