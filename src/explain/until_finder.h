#pragma once

#include "explain/outermost_walk.h"
#include "explain/path_finder.h"

#include <memory>
#include <optional>

namespace nestor {

/// Shortest paths through `allowed` states to a `goal`, both by plain row. What is needed for that
/// is found out when it is first needed, once for all paths.
class UntilFinder {
 public:
  UntilFinder(const InstanceGraph& graph, StackInstances& stacks, BitSet allowed, BitSet goal,
              LimitGuard& guard);

  /// Steps from a state; kFar if there is no path, or if it is longer than can be told.
  Distance begin(const State& state);
  bool is_done();
  Move next();

 private:
  bool entries_are_fewer() const;
  void prepare_goals(const MatchedDistances& calls);

  const InstanceGraph& graph_;
  StackInstances& stacks_;
  BitSet allowed_;
  BitSet goal_;
  LimitGuard& guard_;
  std::unique_ptr<MatchedDistances> entries_;
  std::unique_ptr<MatchedDistances> exits_;
  std::unique_ptr<GoalDistances> goals_;
  std::unique_ptr<PathFinder> paths_;
  // The path that was begun last.
  std::optional<OutermostWalk> walk_;
  State at_;
};

}  // namespace nestor
