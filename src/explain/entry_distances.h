#pragma once

#include "base/bit_set.h"
#include "base/limits.h"
#include "explain/distances.h"
#include "explain/frames.h"

#include <cstdint>
#include <queue>
#include <vector>

namespace nestor {

/// Steps from the entries of each instance to its nodes, inside it and what it calls, through
/// `allowed` states. ExitDistances the other way round: cheaper where procedures have few entries
/// and many exits, as programs with exceptions do, but it tells nothing about other nodes.
class EntryDistances final : public CallDistances {
 public:
  EntryDistances(const Frames& frames, const BitSet& allowed, LimitGuard& guard);

  Distance through(std::uint32_t instance, NodeId entry, std::uint32_t exit) const override;
  /// The nodes of the instance on a shortest way from an entry to an exit, both included. A call
  /// that is passed is a call node and then a return node.
  std::vector<NodeId> way(std::uint32_t instance, NodeId entry, std::uint32_t exit) const;

  /// How many distances there would be.
  static std::size_t size(const Frames& frames);

 private:
  struct Item {
    Distance distance = 0;
    std::uint32_t instance = 0;
    std::uint32_t entry = 0;  // its place
    NodeId node;
    friend bool operator>(const Item& a, const Item& b) { return a.distance > b.distance; }
  };
  struct Cell {
    Distance distance = kFar;
    NodeId before;
  };

  std::size_t cell(std::uint32_t instance, std::uint32_t entry, NodeId n) const {
    const Component& c = frames_.component(instance);
    return first_[instance] + entry * c.nodes().size() + (n - c.first_node);
  }
  void improve(std::uint32_t instance, std::uint32_t entry, NodeId n, Distance distance,
               NodeId before);
  bool is_allowed(std::uint32_t instance, NodeId n) const;
  void spread_to_successors(const Item& item);
  void spread_over_call(const Item& item);
  void spread_to_callers(const Item& item);

  const Frames& frames_;
  const BitSet& allowed_;
  std::vector<std::size_t> first_;
  std::vector<Cell> cells_;
  BitSet done_;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> open_;
};

}  // namespace nestor
