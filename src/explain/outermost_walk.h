#pragma once

#include "explain/distances.h"
#include "model/state.h"

#include <vector>

namespace nestor::explain {

/// A shortest path to a goal from a state with the empty stack: no call is open that could return,
/// so the distances inside frames tell the way.
class OutermostWalk {
 public:
  OutermostWalk(const InstanceGraph& graph, model::StackTable& stacks,
                const MatchedDistances& entries, const GoalDistances& goals, model::NodeId start)
      : graph_(graph), stacks_(stacks), entries_(entries), goals_(goals), at_(start) {}

  /// Steps from the start.
  Distance distance() const { return goals_.from(Labelling::kRoot, at_); }
  bool is_at_goal() const { return passed_.empty() && goals_.from(instance_, at_) == 0; }
  model::Move next();

 private:
  /// A call on the way through which it returns: the nodes in the callee.
  struct Passed {
    std::uint32_t instance = 0;
    model::StackId stack;
    std::vector<model::NodeId> way;
    std::size_t at = 0;
  };

  void pass(std::uint32_t caller, model::StackId stack_of_callee, model::NodeId call,
            std::uint32_t exit);
  void leave_call_node();
  bool go_on_inside(model::Move& move);

  const InstanceGraph& graph_;
  model::StackTable& stacks_;
  const MatchedDistances& entries_;
  const GoalDistances& goals_;
  std::uint32_t instance_ = Labelling::kRoot;
  model::StackId stack_ = model::StackTable::kEmpty;
  model::NodeId at_;  // plain, call or return node of instance_
  std::vector<Passed> passed_;
};

}  // namespace nestor::explain
