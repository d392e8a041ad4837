// Shortest paths that match calls and returns, after
//   D. E. Knuth: A generalization of Dijkstra's algorithm. Information Processing Letters 6 (1977).
//
// Deviation: the grammar is not written down; its nonterminals are pairs of a node and an anchor of
// an instance, its productions the transitions and calls. A call that returns costs the way through
// the callee and the way in the caller on the near side of the box, where the anchors are; both are
// known before their sum.

#include "explain/distances.h"

#include "base/error.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace nestor::explain {

MatchedDistances::MatchedDistances(const InstanceGraph& graph, Direction direction,
                                   const base::BitSet& allowed, Anchors anchors,
                                   base::LimitGuard& guard)
    : graph_(graph),
      from_entries_(direction == Direction::FromEntries),
      anchors_(std::move(anchors)) {
  std::size_t cells = 0;
  for (std::uint32_t i = 0; i < graph.instance_count(); ++i) {
    first_.push_back(cells);
    cells += graph.component(i).nodes().size() * anchors_[i].size();
  }
  distances_.assign(cells, kFar);
  before_.resize(from_entries_ ? cells : 0);
  done_ = base::BitSet(cells);
  for (std::uint32_t i = 0; i < graph.instance_count(); ++i) {
    for (std::uint32_t k = 0; k < anchors_[i].size(); ++k) {
      const model::NodeId anchor = near_ends(i)[anchors_[i][k]];
      if (allowed.test(graph.plain_row(i, anchor))) {
        improve({i, anchor, k}, 0, model::NodeId());
      }
    }
  }
  const model::Rsm& model = graph.model();
  const model::NodeKind near = from_entries_ ? model::NodeKind::Call : model::NodeKind::Return;
  while (!open_.empty()) {
    const Item item = open_.pop();
    const model::NodeId n = item.place.node;
    if (!done_.insert(cell(item.place.instance, n, item.place.anchor))) {
      continue;
    }
    guard.tick();
    if (model.kind(n) == near) {
      spread_over_call(item);
      continue;
    }
    spread_to_neighbours(item, allowed);
    if (from_entries_ ? model.is_exit(n) : model.is_entry(n)) {
      spread_to_callers(item);
    }
  }
}

/// The place of an entry or exit, an index among all, in anchors(); their number if not there.
std::size_t MatchedDistances::find_anchor(std::uint32_t instance, std::uint32_t index) const {
  const std::vector<std::uint32_t>& list = anchors_[instance];
  const auto found = std::lower_bound(list.begin(), list.end(), index);
  return found != list.end() && *found == index ? static_cast<std::size_t>(found - list.begin())
                                                : list.size();
}

void MatchedDistances::improve(const Place& place, Distance distance, model::NodeId before) {
  const std::size_t at = cell(place.instance, place.node, place.anchor);
  if (distance < distances_[at]) {
    distances_[at] = distance;
    if (from_entries_) {
      before_[at] = before;
    }
    open_.push(distance, place);
  }
}

void MatchedDistances::spread_to_neighbours(const Item& item, const base::BitSet& allowed) {
  const model::Rsm& model = graph_.model();
  const auto [instance, n, anchor] = item.place;
  for (const model::NodeId m : from_entries_ ? model.successors(n) : model.predecessors(n)) {
    // A return node is no state of its own: the exit was asked when the way to it was counted.
    if (model.kind(m) == model::NodeKind::Return || graph_.is_in(allowed, instance, m)) {
      improve({instance, m, anchor}, sum(item.distance, 1), n);
    }
  }
}

/// The way between an anchor and the near side of a box is known: it can be counted for the far
/// side, as far as the ways through the callee are known.
void MatchedDistances::spread_over_call(const Item& item) {
  const auto [instance, n, anchor] = item.place;
  const model::BoxId b = graph_.model().box_of(n);
  const model::Box& box = graph_.model().box(b);
  const std::uint32_t callee = graph_.callee(instance, b);
  const std::size_t near = find_anchor(callee, n - first_near(box));
  if (near == anchors_[callee].size()) {
    return;
  }
  const std::span<const model::NodeId> ends = far_ends(callee);
  for (std::uint32_t end = 0; end < ends.size(); ++end) {
    const std::size_t through = cell(callee, ends[end], near);
    if (done_.test(through)) {
      improve({instance, first_far(box) + end, anchor}, sum(item.distance, distances_[through]), n);
    }
  }
}

/// A way through a procedure is known: calls of it go on, where the way to their near side is
/// known.
void MatchedDistances::spread_to_callers(const Item& item) {
  const model::Rsm& model = graph_.model();
  const model::NodeId n = item.place.node;
  const std::uint32_t near = anchors_[item.place.instance][item.place.anchor];
  const std::uint32_t far = from_entries_ ? model.exit_index(n) : model.entry_index(n);
  for (const InstanceGraph::Caller& site : graph_.callers(item.place.instance)) {
    const model::NodeId before = first_near(model.box(site.box)) + near;
    const model::NodeId after = first_far(model.box(site.box)) + far;
    for (std::uint32_t k = 0; k < anchors_[site.instance].size(); ++k) {
      const std::size_t rest = cell(site.instance, before, k);
      if (done_.test(rest)) {
        improve({site.instance, after, k}, sum(item.distance, distances_[rest]), before);
      }
    }
  }
}

Distance MatchedDistances::through(std::uint32_t instance, model::NodeId entry,
                                   std::uint32_t exit) const {
  const std::uint32_t near = from_entries_ ? graph_.model().entry_index(entry) : exit;
  const std::size_t anchor = find_anchor(instance, near);
  return anchor == anchors_[instance].size()
             ? kFar
             : at(instance, from_entries_ ? graph_.exits(instance)[exit] : entry)[anchor];
}

std::vector<model::NodeId> MatchedDistances::way(std::uint32_t instance, model::NodeId entry,
                                                 std::uint32_t exit) const {
  assert(from_entries_);
  const std::size_t anchor = find_anchor(instance, graph_.model().entry_index(entry));
  std::vector<model::NodeId> nodes;
  for (model::NodeId n = graph_.exits(instance)[exit]; n.valid();
       n = before_[cell(instance, n, anchor)]) {
    nodes.push_back(n);
  }
  NESTOR_CHECK(nodes.back() == entry);
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

MatchedDistances::Anchors all_entries(const InstanceGraph& graph) {
  MatchedDistances::Anchors anchors(graph.instance_count());
  for (std::uint32_t i = 0; i < anchors.size(); ++i) {
    anchors[i].resize(graph.entries(i).size());
    std::iota(anchors[i].begin(), anchors[i].end(), 0);
  }
  return anchors;
}

GoalDistances::GoalDistances(const InstanceGraph& graph, const base::BitSet& allowed,
                             const base::BitSet& goal, const MatchedDistances& calls,
                             base::LimitGuard& guard)
    : graph_(graph), distances_(graph.row_count(), kFar) {
  for (std::uint32_t i = 0; i < graph.instance_count(); ++i) {
    for (const model::NodeId n : graph.component(i).nodes()) {
      if (goal.test(graph.row(i, n))) {
        improve({i, n}, 0);
      }
    }
  }
  while (!open_.empty()) {
    const auto item = open_.pop();
    if (item.distance == from(item.place.instance, item.place.node)) {
      guard.tick();
      spread(item, allowed, calls);
    }
  }
}

void GoalDistances::improve(const Place& place, Distance distance) {
  Distance& known = distances_[graph_.row(place.instance, place.node)];
  if (distance < known) {
    known = distance;
    open_.push(distance, place);
  }
}

void GoalDistances::spread(const NearestFirst<Place>::Item& item, const base::BitSet& allowed,
                           const MatchedDistances& calls) {
  const model::Rsm& model = graph_.model();
  const auto [instance, n] = item.place;
  if (model.kind(n) == model::NodeKind::Return) {
    const model::BoxId b = model.box_of(n);
    const model::Box& box = model.box(b);
    const std::uint32_t callee = graph_.callee(instance, b);
    for (const model::NodeId call : box.call_nodes()) {
      improve({instance, call},
              sum(calls.through(callee, model.origin(call), n - box.first_return), item.distance));
    }
    return;
  }
  for (const model::NodeId p : model.predecessors(n)) {
    if (model.kind(p) == model::NodeKind::Return || graph_.is_in(allowed, instance, p)) {
      improve({instance, p}, sum(item.distance, 1));
    }
  }
  if (model.is_entry(n)) {
    for (const InstanceGraph::Caller& site : graph_.callers(instance)) {
      improve({site.instance, model.box(site.box).first_call + model.entry_index(n)},
              item.distance);
    }
  }
}

}  // namespace nestor::explain
