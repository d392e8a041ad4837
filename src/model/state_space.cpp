#include "model/state_space.h"

#include "base/error.h"

#include <fmt/format.h>

namespace nestor::model {

namespace {
// A formula may be decided by a few states of infinitely many; but it need not, and if there is no
// limit of time this is one.
constexpr std::size_t kGrace = 100'000;
// Of the memory there may be, one of so many parts is for transitions.
constexpr std::size_t kPartForTransitions = 8;
}  // namespace

StateSpace::StateSpace(SuccessorFunction& model, DeadEnds dead_ends, const base::Limits& limits)
    : model_(model),
      dead_ends_(dead_ends),
      limits_(limits),
      store_(
          model, [this](NodeId n) { return path_to(n); },
          limits.seconds ? base::TreeStateSet::kMostStates : kGrace) {}

std::vector<NodeId> StateSpace::initial(base::LimitGuard& guard) {
  if (initial_.empty()) {
    std::vector<NodeId> initial = store_.initial(limits_, guard);
    if (initial.empty()) {
      throw base::Error(base::Error::Kind::Input, "the model has no initial state");
    }
    rows_.resize(store_.size());
    initial_ = std::move(initial);
  }
  return initial_;
}

std::span<const NodeId> StateSpace::expand(NodeId n, base::LimitGuard& guard) {
  std::span<const NodeId> next = store_.expand(n, limits_, guard);
  if (next.empty() && dead_ends_ == DeadEnds::Error) {
    throw base::Error(base::Error::Kind::Input,
                      fmt::format("'{}' has no successors", model_.describe(state(n))));
  }
  if (next.empty() && dead_ends_ == DeadEnds::Loop) {
    looped_ = n;
    next = std::span(&looped_, 1);
  }
  return next;
}

/// False if memory is short: then transitions are not kept, but found anew each time.
bool StateSpace::has_room_for(std::size_t transitions) const {
  return !limits_.megabytes || model_.mark_count() > 0 ||
         transitions_.size() + transitions <= transitions_.capacity() ||
         2 * transitions_.capacity() * sizeof(NodeId) <=
             (*limits_.megabytes << 20) / kPartForTransitions;
}

std::span<const NodeId> StateSpace::successors(NodeId n, base::LimitGuard& guard) {
  if (rows_[n.value()].first == kNotKept) {
    return expand(n, guard);
  }
  if (rows_[n.value()].first != kNotExpanded) {
    const Row& row = rows_[n.value()];
    return {transitions_.data() + row.first, row.size};
  }
  const std::span<const NodeId> next = expand(n, guard);
  // A limit or a lack of memory ends this formula, not the space: until nothing can throw any
  // more, `n` is not expanded.
  const bool is_kept = has_room_for(next.size());
  if (is_kept && transitions_.size() + next.size() > transitions_.capacity()) {
    guard.reserve(2 * transitions_.capacity() * sizeof(NodeId));
  }
  if (store_.size() > rows_.capacity()) {
    guard.reserve(2 * rows_.capacity() * sizeof(Row));
  }
  rows_.resize(store_.size());
  const std::size_t first = transitions_.size();
  if (model_.mark_count() > 0) {
    guard.reserve(next.size() * sizeof(std::uint32_t));
    marks_.resize(first);  // what a lack of memory has left behind
    marks_.insert(marks_.end(), store_.marks().begin(), store_.marks().end());
    marks_.resize(first + next.size());  // a loop at a dead end satisfies no constraint
  }
  if (is_kept) {
    transitions_.insert(transitions_.end(), next.begin(), next.end());
  }
  for (const NodeId m : next) {
    Row& row = rows_[m.value()];
    // Only a state that has not been looked at: so parents never form a cycle.
    if (!row.parent.valid() && row.first == kNotExpanded && m != n &&
        m.value() >= initial_.size()) {
      row.parent = n;
    }
  }
  Row& row = rows_[n.value()];
  row.first = is_kept ? first : kNotKept;
  row.size = static_cast<std::uint32_t>(next.size());
  ++expanded_;
  transition_count_ += next.size();
  return is_kept ? std::span<const NodeId>(transitions_).subspan(first, next.size()) : next;
}

std::vector<NodeId> StateSpace::path_to(NodeId n) const {
  std::vector<NodeId> path;
  for (; n.valid(); n = rows_[n.value()].parent) {
    path.push_back(n);
  }
  return {path.rbegin(), path.rend()};
}

std::size_t StateSpace::memory_bytes() const {
  return store_.memory_bytes() + rows_.capacity() * sizeof(Row) +
         transitions_.capacity() * sizeof(NodeId) + marks_.capacity() * sizeof(std::uint32_t);
}

}  // namespace nestor::model
