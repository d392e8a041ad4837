#pragma once

#include "explain/outermost_walk.h"
#include "explain/path_finder.h"

#include <memory>
#include <optional>

namespace nestor::explain {

/// Shortest paths through `allowed` states to a `goal`, both by plain row. What is needed for that
/// is found out when it is first needed, once for all paths.
class UntilFinder {
 public:
  UntilFinder(const InstanceGraph& graph, StackInstances& stacks, base::BitSet allowed,
              base::BitSet goal, base::LimitGuard& guard);

  /// Steps from a state; kFar if there is no path, or if it is longer than can be told.
  Distance begin(const model::State& state);
  bool is_done();
  model::Move next();

 private:
  bool entries_are_fewer() const;
  void prepare_goals(const MatchedDistances& calls);

  const InstanceGraph& graph_;
  StackInstances& stacks_;
  base::BitSet allowed_;
  base::BitSet goal_;
  base::LimitGuard& guard_;
  std::unique_ptr<MatchedDistances> entries_;
  std::unique_ptr<MatchedDistances> exits_;
  std::unique_ptr<GoalDistances> goals_;
  std::unique_ptr<PathFinder> paths_;
  // The path that was begun last.
  std::optional<OutermostWalk> walk_;
  model::State at_;
};

}  // namespace nestor::explain
