#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nestor::base {

/// A set of integers below a fixed size from which the smallest is taken first: a tree of 64-way
/// bitmaps, so insert and pop cost one step for each factor of 64 in the size. A worklist whose
/// order is the bottom-up order of the work.
class PrioritySet {
 public:
  explicit PrioritySet(std::size_t size) {
    do {
      size = size == 0 ? 1 : (size + 63) / 64;
      levels_.emplace_back(size);
    } while (size > 1);
  }

  bool empty() const { return levels_.back()[0] == 0; }

  void insert(std::size_t i) {
    for (std::vector<std::uint64_t>& level : levels_) {
      std::uint64_t& word = level[i / 64];
      const bool was_empty = word == 0;
      word |= std::uint64_t{1} << (i % 64);
      if (!was_empty) {
        return;
      }
      i /= 64;
    }
  }

  std::size_t pop_min() {
    assert(!empty());
    std::size_t i = 0;
    for (std::size_t level = levels_.size(); level-- > 0;) {
      i = i * 64 + static_cast<std::size_t>(std::countr_zero(levels_[level][i]));
    }
    std::size_t clear = i;
    for (std::vector<std::uint64_t>& level : levels_) {
      std::uint64_t& word = level[clear / 64];
      word &= ~(std::uint64_t{1} << (clear % 64));
      if (word != 0) {
        break;
      }
      clear /= 64;
    }
    return i;
  }

 private:
  std::vector<std::vector<std::uint64_t>>
      levels_;  // levels_[0]: the set; above: which words are not 0
};

}  // namespace nestor::base
