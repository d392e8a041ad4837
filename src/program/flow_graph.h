#pragma once

#include "base/pool_allocator.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace nestor::program {

/// A list of points that is mostly short.
class PointList {
 public:
  using const_iterator = const std::uint32_t*;

  const_iterator begin() const { return is_few() ? few_.data() : many_.data(); }
  const_iterator end() const { return begin() + size_; }
  std::size_t size() const { return size_; }
  bool contains(std::uint32_t point) const { return std::find(begin(), end(), point) != end(); }
  operator std::span<const std::uint32_t>() const { return {begin(), size_}; }

  void push_back(std::uint32_t point) {
    if (is_few() && size_ < kFew) {
      few_[size_] = point;
    } else {
      if (is_few()) {
        many_.assign(begin(), end());
      }
      many_.push_back(point);
    }
    ++size_;
  }
  /// The rest stays in order.
  void erase(std::uint32_t point) {
    std::uint32_t* const first = is_few() ? few_.data() : many_.data();
    std::uint32_t* const found = std::find(first, first + size_, point);
    std::copy(found + 1, first + size_, found);
    --size_;
    if (!many_.empty()) {
      many_.pop_back();
    }
  }
  void clear() { *this = {}; }

 private:
  static constexpr std::uint32_t kFew = 3;

  bool is_few() const { return many_.empty(); }

  std::uint32_t size_ = 0;
  std::array<std::uint32_t, kFew> few_;
  base::PooledVector<std::uint32_t> many_;  // all of them, once there have been more
};

/// The control flow of one function while it is being reduced to the points that matter.
class FlowGraph {
 public:
  using Edges = PointList;

  explicit FlowGraph(std::size_t size) : next_(size), previous_(size) {}

  std::uint32_t add_point() {
    next_.emplace_back();
    previous_.emplace_back();
    return static_cast<std::uint32_t>(next_.size() - 1);
  }
  std::size_t size() const { return next_.size(); }
  void add(std::uint32_t from, std::uint32_t to);
  const Edges& next(std::uint32_t point) const { return next_[point]; }

  /// Drops points that are not `kept` and link one point to others, or others to one; they must not
  /// lead to themselves. Cost and edges never grow: n predecessors and m successors are joined
  /// directly only if n · m ≤ n + m.
  void reduce(const std::vector<std::uint8_t>& kept);
  bool is_dropped(std::uint32_t point) const { return dropped_[point] != 0; }

 private:
  bool can_drop(std::uint32_t point) const;

  std::vector<Edges> next_;
  std::vector<Edges> previous_;
  std::vector<std::uint8_t> dropped_;
};

}  // namespace nestor::program
