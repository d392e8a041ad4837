#pragma once

#include "base/pool_allocator.h"

#include <cstdint>
#include <vector>

namespace nestor::program {

/// The control flow of one function while it is being reduced to the points that matter.
class FlowGraph {
 public:
  using Edges = base::PooledVector<std::uint32_t>;

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
  static void erase(Edges& list, std::uint32_t item);

  std::vector<Edges> next_;
  std::vector<Edges> previous_;
  std::vector<std::uint8_t> dropped_;
};

}  // namespace nestor::program
