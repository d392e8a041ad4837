#pragma once

#include "base/bit_set.h"
#include "base/limits.h"
#include "explain/frames.h"

#include <cstdint>
#include <limits>
#include <queue>
#include <span>
#include <vector>

namespace nestor {

/// Steps to somewhere. Shortest paths of recursive programs can be exponentially long; what is
/// longer than fits counts as unreachable.
using Distance = std::uint32_t;
constexpr Distance kFar = std::numeric_limits<Distance>::max();

constexpr Distance sum(Distance a, Distance b) {
  return a > kFar - b ? kFar : a + b;
}

/// Steps from the entries of procedures to their exits: what a call costs.
class CallDistances {
 public:
  virtual ~CallDistances() = default;
  /// `exit`: its place among the exits of the instance.
  virtual Distance through(std::uint32_t instance, NodeId entry, std::uint32_t exit) const = 0;
};

/// Steps from each node of each instance to the exits of that instance, inside it and what it
/// calls, through `allowed` states only, the exit included. From a return node, counting on from
/// the state that it is; from a call node, the entry that it is.
///
/// Knuth's generalisation of Dijkstra's algorithm: a call that returns costs the way through the
/// callee and the way from the return node on, and both are known before their sum.
class ExitDistances final : public CallDistances {
 public:
  /// `allowed`: by plain row. `wanted`: for each instance the exits, as ascending places among its
  /// exits, that are worth going to.
  ExitDistances(const Frames& graph, const BitSet& allowed,
                std::vector<std::vector<std::uint32_t>> wanted, LimitGuard& guard);

  Distance through(std::uint32_t instance, NodeId entry, std::uint32_t exit) const override {
    const std::size_t to = place(instance, exit);
    return to == wanted_[instance].size() ? kFar : from(instance, entry)[to];
  }
  /// The exits that there are distances to, as places among the exits of the instance.
  std::span<const std::uint32_t> wanted(std::uint32_t instance) const { return wanted_[instance]; }
  /// The place of an exit in wanted(); its size if it is not there.
  std::size_t place(std::uint32_t instance, std::uint32_t exit) const;
  /// `n`: any node. One distance for each of wanted().
  std::span<const Distance> from(std::uint32_t instance, NodeId n) const {
    const std::size_t width = wanted_[instance].size();
    return {
        distances_.data() + first_[instance] + (n - graph_.component(instance).first_node) * width,
        width};
  }

 private:
  struct Item {
    Distance distance = 0;
    std::uint32_t instance = 0;
    NodeId node;
    std::uint32_t to = 0;  // a place in wanted
    friend bool operator>(const Item& a, const Item& b) { return a.distance > b.distance; }
  };

  std::size_t cell(std::uint32_t instance, NodeId n, std::size_t to) const {
    return first_[instance] +
           (n - graph_.component(instance).first_node) * wanted_[instance].size() + to;
  }
  void improve(std::uint32_t instance, NodeId n, std::size_t to, Distance distance);
  void spread_to_predecessors(const Item& item, const BitSet& allowed);
  void spread_to_callers(const Item& item);
  void spread_over_call(const Item& item);

  const Frames& graph_;
  std::vector<std::vector<std::uint32_t>> wanted_;
  std::vector<std::size_t> first_;
  std::vector<Distance> distances_;
  BitSet done_;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> open_;
};

/// Steps from each node of each instance to a goal, inside it and what it calls, through `allowed`
/// states. Goals, by row of the graph, are plain nodes, which need not be allowed, and return
/// nodes.
class GoalDistances {
 public:
  GoalDistances(const Frames& graph, const BitSet& allowed, const BitSet& goal,
                const CallDistances& calls, LimitGuard& guard);

  Distance from(std::uint32_t instance, NodeId n) const {
    return distances_[graph_.row(instance, n)];
  }

 private:
  struct Item {
    Distance distance = 0;
    std::uint32_t instance = 0;
    NodeId node;
    friend bool operator>(const Item& a, const Item& b) { return a.distance > b.distance; }
  };

  void improve(std::uint32_t instance, NodeId n, Distance distance);
  void spread(const Item& item, const BitSet& allowed, const CallDistances& calls);

  const Frames& graph_;
  std::vector<Distance> distances_;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> open_;
};

}  // namespace nestor
