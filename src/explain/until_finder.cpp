#include "explain/until_finder.h"

#include "explain/lasso_finder.h"

#include <utility>

namespace nestor {

UntilFinder::UntilFinder(const Frames& frames, StackFrames& stacks, BitSet allowed, BitSet goal,
                         LimitGuard& guard)
    : frames_(frames),
      stacks_(stacks),
      allowed_(std::move(allowed)),
      goal_(std::move(goal)),
      guard_(guard) {}

bool UntilFinder::entries_are_fewer() const {
  std::size_t exits = 0;
  for (std::uint32_t i = 0; i < frames_.instance_count(); ++i) {
    exits += frames_.component(i).nodes().size() * frames_.exits(i).size();
  }
  return EntryDistances::size(frames_) <= exits;
}

void UntilFinder::prepare_goals(const CallDistances& calls) {
  if (goals_ != nullptr) {
    return;
  }
  BitSet rows(frames_.row_count());
  for (std::uint32_t i = 0; i < frames_.instance_count(); ++i) {
    for (const NodeId n : frames_.component(i).plain_nodes()) {
      if (goal_.test(frames_.plain_row(i, n))) {
        rows.set(frames_.row(i, n));
      }
    }
  }
  goals_ = std::make_unique<GoalDistances>(frames_, allowed_, rows, calls, guard_);
}

Distance UntilFinder::begin(const State& state) {
  walk_.reset();
  at_ = state;
  if (stacks_.stacks().is_empty(state.stack) && exits_ == nullptr && entries_are_fewer()) {
    if (entries_ == nullptr) {
      entries_ = std::make_unique<EntryDistances>(frames_, allowed_, guard_);
      prepare_goals(*entries_);
    }
    walk_.emplace(frames_, stacks_.stacks(), *entries_, *goals_, state.node);
    return walk_->distance();
  }
  if (exits_ == nullptr) {
    exits_ = std::make_unique<ExitDistances>(frames_, allowed_,
                                             useful_exits(frames_, allowed_, goal_, false), guard_);
    prepare_goals(*exits_);
    paths_ = std::make_unique<PathFinder>(frames_, stacks_, *exits_, *goals_, kFar);
  }
  return paths_->distance(state);
}

bool UntilFinder::is_done() {
  return walk_ ? walk_->is_at_goal() : paths_->distance(at_) == 0;
}

Move UntilFinder::next() {
  if (walk_) {
    return walk_->next();
  }
  const Move move = paths_->next(at_);
  at_ = move.to;
  return move;
}

}  // namespace nestor
