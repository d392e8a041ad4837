#pragma once

#include "base/bit_set.h"
#include "base/limits.h"
#include "explain/instance_graph.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <vector>

namespace nestor::explain {

/// Steps to somewhere. Shortest paths of recursive programs can be exponentially long; what is
/// longer than fits counts as unreachable.
using Distance = std::uint32_t;
constexpr Distance kFar = std::numeric_limits<Distance>::max();

constexpr Distance sum(Distance a, Distance b) {
  return a > kFar - b ? kFar : a + b;
}

/// What a search by distance still has to look at, the nearest first.
template <class Place>
class NearestFirst {
 public:
  struct Item {
    Distance distance = 0;
    Place place;
    friend bool operator>(const Item& a, const Item& b) { return a.distance > b.distance; }
  };

  bool empty() const { return items_.empty(); }
  void push(Distance distance, const Place& place) { items_.push({distance, place}); }
  Item pop() {
    const Item nearest = items_.top();
    items_.pop();
    return nearest;
  }

 private:
  std::priority_queue<Item, std::vector<Item>, std::greater<>> items_;
};

/// Shortest paths that match calls and returns: inside an instance and what it calls, through
/// `allowed` states only, between the nodes of the instance and its anchors. These are its entries,
/// from which paths lead to the nodes, or exits, to which they lead. A call node is the entry that
/// it is, a return node the exit.
///
/// From entries is cheaper where procedures have few entries and many exits, as programs with
/// exceptions do; but it says nothing about paths that begin elsewhere.
class MatchedDistances {
 public:
  enum class Direction : std::uint8_t { FromEntries, ToExits };
  /// For each instance ascending places among its entries or its exits.
  using Anchors = std::vector<std::vector<std::uint32_t>>;

  /// `allowed`: by plain row.
  MatchedDistances(const InstanceGraph& graph, Direction direction, const base::BitSet& allowed,
                   Anchors anchors, base::LimitGuard& guard);

  std::span<const std::uint32_t> anchors(std::uint32_t instance) const {
    return anchors_[instance];
  }
  /// `n`: any node. One distance for each of anchors().
  std::span<const Distance> at(std::uint32_t instance, model::NodeId n) const {
    return {distances_.data() + cell(instance, n, 0), anchors_[instance].size()};
  }
  /// What a call costs. `exit`: its place among the exits of the instance.
  Distance through(std::uint32_t instance, model::NodeId entry, std::uint32_t exit) const;
  /// Only from entries: the nodes of the instance on a shortest way from an entry to an exit, both
  /// included. A call that is passed is a call node and then a return node.
  std::vector<model::NodeId> way(std::uint32_t instance, model::NodeId entry,
                                 std::uint32_t exit) const;

 private:
  struct Place {
    std::uint32_t instance = 0;
    model::NodeId node;
    std::uint32_t anchor = 0;  // its place in anchors
  };
  using Item = NearestFirst<Place>::Item;

  std::size_t cell(std::uint32_t instance, model::NodeId n, std::size_t anchor) const {
    return first_[instance] +
           (n - graph_.component(instance).first_node) * anchors_[instance].size() + anchor;
  }
  std::size_t find_anchor(std::uint32_t instance, std::uint32_t index) const;
  std::span<const model::NodeId> near_ends(std::uint32_t instance) const {
    return from_entries_ ? graph_.entries(instance) : graph_.exits(instance);
  }
  std::span<const model::NodeId> far_ends(std::uint32_t instance) const {
    return from_entries_ ? graph_.exits(instance) : graph_.entries(instance);
  }
  model::NodeId first_near(const model::Box& box) const {
    return from_entries_ ? box.first_call : box.first_return;
  }
  model::NodeId first_far(const model::Box& box) const {
    return from_entries_ ? box.first_return : box.first_call;
  }

  void improve(const Place& place, Distance distance, model::NodeId before);
  void spread_to_neighbours(const Item& item, const base::BitSet& allowed);
  void spread_over_call(const Item& item);
  void spread_to_callers(const Item& item);

  const InstanceGraph& graph_;
  bool from_entries_;
  Anchors anchors_;
  std::vector<std::size_t> first_;  // by instance: its first cell
  std::vector<Distance> distances_;
  std::vector<model::NodeId> before_;  // from entries: the node before on the way
  base::BitSet done_;
  NearestFirst<Place> open_;
};

/// All entries.
MatchedDistances::Anchors all_entries(const InstanceGraph& graph);

/// Steps from each node of each instance to a goal, inside it and what it calls, through `allowed`
/// states. Goals, by row of the graph, are plain nodes, which need not be allowed, and return
/// nodes. Calls that return cost what `calls` says.
class GoalDistances {
 public:
  GoalDistances(const InstanceGraph& graph, const base::BitSet& allowed, const base::BitSet& goal,
                const MatchedDistances& calls, base::LimitGuard& guard);

  Distance from(std::uint32_t instance, model::NodeId n) const {
    return distances_[graph_.row(instance, n)];
  }

 private:
  struct Place {
    std::uint32_t instance = 0;
    model::NodeId node;
  };

  void improve(const Place& place, Distance distance);
  void spread(const NearestFirst<Place>::Item& item, const base::BitSet& allowed,
              const MatchedDistances& calls);

  const InstanceGraph& graph_;
  std::vector<Distance> distances_;
  NearestFirst<Place> open_;
};

}  // namespace nestor::explain
