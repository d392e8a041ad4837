#include "base/tree_state_set.h"

#include <algorithm>
#include <cassert>

namespace nestor::base {

TreeStateSet::TreeStateSet(std::size_t words_per_state, Shape shape)
    : words_(words_per_state),
      roots_(shape == Shape::Tree && can_be_tree(words_per_state) ? 2 : words_per_state),
      pairs_(2) {
  if (shape == Shape::Tree && can_be_tree(words_)) {
    levels_.push_back(0);
    std::size_t size = words_;
    for (; size > 2; size = (size + 1) / 2) {
      levels_.push_back(levels_.back() + size);
    }
    levels_.push_back(levels_.back() + 2);
  }
}

/// Finds the values of all levels; `pair(view, number)` numbers a pair, or is false if it cannot.
/// Where a level is that of the near state, so is what it leads to.
template <class Pair>
bool TreeStateSet::climb(StateView state, Pair pair) {
  assert(state.size() == words_);
  values_.resize(levels_.back());
  std::ranges::copy(state, values_.begin());
  const bool has_near = !near_.empty();
  for (std::size_t level = 0; level + 2 < levels_.size(); ++level) {
    const std::size_t begin = levels_[level];
    const std::size_t size = levels_[level + 1] - begin;
    std::uint32_t* const above = values_.data() + levels_[level + 1];
    for (std::size_t i = 0; i + 1 < size; i += 2) {
      const std::uint32_t* const here = values_.data() + begin + i;
      if (has_near && here[0] == near_[begin + i] && here[1] == near_[begin + i + 1]) {
        above[i / 2] = near_[levels_[level + 1] + i / 2];
      } else if (!pair(StateView(here, 2), above[i / 2])) {
        return false;
      }
    }
    if (size % 2 == 1) {
      above[size / 2] = values_[begin + size - 1];
    }
  }
  return true;
}

TreeStateSet::Inserted TreeStateSet::insert_tree(StateView state) {
  climb(state, [&](StateView pair, std::uint32_t& number) {
    number = pairs_.insert(pair).number;
    return true;
  });
  return roots_.insert(StateView(values_).last(2));
}

std::uint32_t TreeStateSet::find_tree(StateView state) {
  const bool is_there = climb(state, [&](StateView pair, std::uint32_t& number) {
    number = pairs_.find(pair);
    return number != kAbsent;
  });
  return is_there ? roots_.find(StateView(values_).last(2)) : kAbsent;
}

void TreeStateSet::expect_near(std::uint32_t number) {
  if (is_flat()) {
    return;
  }
  near_.resize(levels_.back());
  std::ranges::copy(roots_[number], near_.end() - 2);
  for (std::size_t level = levels_.size() - 2; level-- > 0;) {
    const std::size_t begin = levels_[level];
    const std::size_t size = levels_[level + 1] - begin;
    const std::uint32_t* const above = near_.data() + levels_[level + 1];
    for (std::size_t i = 0; i + 1 < size; i += 2) {
      const StateView pair = pairs_[above[i / 2]];
      near_[begin + i] = pair[0];
      near_[begin + i + 1] = pair[1];
    }
    if (size % 2 == 1) {
      near_[begin + size - 1] = above[size / 2];
    }
  }
}

TakenState TreeStateSet::operator[](std::uint32_t number) const {
  if (is_flat()) {
    return TakenState(roots_[number]);
  }
  TakenState state = TakenState::copy_of(words_);
  const StateBuffer values = state.buffer();
  // Level by level from the root, in place: from the back, since a level is wider than the next.
  std::ranges::copy(roots_[number], values.begin());
  for (std::size_t level = levels_.size() - 2; level-- > 0;) {
    const std::size_t size = levels_[level + 1] - levels_[level];
    if (size % 2 == 1) {
      values[size - 1] = values[size / 2];
    }
    for (std::size_t i = size / 2; i-- > 0;) {
      const StateView pair = pairs_[values[i]];
      values[2 * i] = pair[0];
      values[2 * i + 1] = pair[1];
    }
  }
  return state;
}

}  // namespace nestor::base
