#include "explain/until_finder.h"

#include "explain/lasso_finder.h"

#include <utility>

namespace nestor::explain {

UntilFinder::UntilFinder(const InstanceGraph& graph, StackInstances& stacks, base::BitSet allowed,
                         base::BitSet goal, base::LimitGuard& guard)
    : graph_(graph),
      stacks_(stacks),
      allowed_(std::move(allowed)),
      goal_(std::move(goal)),
      guard_(guard) {}

bool UntilFinder::entries_are_fewer() const {
  std::size_t entries = 0;
  std::size_t exits = 0;
  for (std::uint32_t i = 0; i < graph_.instance_count(); ++i) {
    entries += graph_.component(i).nodes().size() * graph_.entries(i).size();
    exits += graph_.component(i).nodes().size() * graph_.exits(i).size();
  }
  return entries <= exits;
}

void UntilFinder::prepare_goals(const MatchedDistances& calls) {
  if (goals_ != nullptr) {
    return;
  }
  base::BitSet rows(graph_.row_count());
  for (std::uint32_t i = 0; i < graph_.instance_count(); ++i) {
    for (const model::NodeId n : graph_.component(i).plain_nodes()) {
      if (goal_.test(graph_.plain_row(i, n))) {
        rows.set(graph_.row(i, n));
      }
    }
  }
  goals_ = std::make_unique<GoalDistances>(graph_, allowed_, rows, calls, guard_);
}

Distance UntilFinder::begin(const model::State& state) {
  walk_.reset();
  at_ = state;
  if (stacks_.table().is_empty(state.stack) && exits_ == nullptr && entries_are_fewer()) {
    if (entries_ == nullptr) {
      entries_ = std::make_unique<MatchedDistances>(
          graph_, MatchedDistances::Direction::FromEntries, allowed_, all_entries(graph_), guard_);
      prepare_goals(*entries_);
    }
    walk_.emplace(graph_, stacks_.table(), *entries_, *goals_, state.node);
    return walk_->distance();
  }
  if (exits_ == nullptr) {
    exits_ =
        std::make_unique<MatchedDistances>(graph_, MatchedDistances::Direction::ToExits, allowed_,
                                           useful_exits(graph_, allowed_, goal_, false), guard_);
    prepare_goals(*exits_);
    paths_ = std::make_unique<PathFinder>(graph_, stacks_, *exits_, *goals_, kFar);
  }
  return paths_->distance(state);
}

bool UntilFinder::is_done() {
  return walk_ ? walk_->is_at_goal() : paths_->distance(at_) == 0;
}

model::Move UntilFinder::next() {
  if (walk_) {
    return walk_->next();
  }
  const model::Move move = paths_->next(at_);
  at_ = move.to;
  return move;
}

}  // namespace nestor::explain
