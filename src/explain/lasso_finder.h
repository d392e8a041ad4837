#pragma once

#include "explain/loops.h"
#include "explain/path_finder.h"

#include <functional>
#include <vector>

namespace nestor::explain {

/// A path under construction.
struct Path {
  std::vector<model::State> states;
  std::vector<model::Step> steps;

  void move(const model::Move& move) {
    steps.push_back(move.step);
    states.push_back(move.to);
  }
};

/// The longest path that is written down. Shortest paths can be exponentially longer.
constexpr Distance kMostSteps = 20'000'000;

/// Maximal runs through `allowed` states.
class LassoFinder {
 public:
  LassoFinder(const InstanceGraph& graph, StackInstances& stacks, base::BitSet allowed,
              base::LimitGuard& guard);
  LassoFinder(const LassoFinder&) = delete;
  LassoFinder& operator=(const LassoFinder&) = delete;

  /// Steps from a state to where the run can go round or end; kFar if there is no such run, or if
  /// it is longer than can be told.
  Distance begin(const model::State& state) {
    at_ = state;
    return stems_.distance(state);
  }
  bool is_done() { return stems_.distance(at_) == 0; }
  model::Move next() {
    const model::Move move = stems_.next(at_);
    at_ = move.to;
    return move;
  }
  /// When that is done: goes on to the beginning of a loop, once round, and returns where the
  /// loop begins; or adds nothing and returns `kDeadEnd`.
  static constexpr std::size_t kDeadEnd = static_cast<std::size_t>(-1);
  std::size_t close(Path& path);

 private:
  GoalDistances distances_to_loops() const;
  std::size_t go_round(std::uint32_t instance, model::NodeId n, model::StackId base, Path& path);
  void follow(const Loops::Edge& edge, Path& path, model::StackId& base, model::NodeId& n);

  const InstanceGraph& graph_;
  StackInstances& stacks_;
  base::LimitGuard& guard_;
  base::BitSet allowed_;
  MatchedDistances exits_;
  Loops loops_;
  GoalDistances to_loops_;
  PathFinder stems_;
  model::State at_;  // on the path that was begun last
};

/// For each instance the exits after which a path through `allowed` states or to a `goal` may go
/// on; with `maximal`, also those where it may end or stay.
MatchedDistances::Anchors useful_exits(const InstanceGraph& graph, const base::BitSet& allowed,
                                       const base::BitSet& goal, bool maximal);

}  // namespace nestor::explain
