// Shortest paths that match calls and returns, after
//   D. E. Knuth: A generalization of Dijkstra's algorithm. Information Processing Letters 6 (1977).
//
// Deviation: the grammar is not written down; its nonterminals are pairs of a node and an exit of
// an instance, its productions the transitions and calls.

#include "explain/distances.h"

#include <algorithm>

namespace nestor {

ExitDistances::ExitDistances(const Frames& graph, const BitSet& allowed,
                             std::vector<std::vector<std::uint32_t>> wanted, LimitGuard& guard)
    : graph_(graph), wanted_(std::move(wanted)) {
  std::size_t cells = 0;
  for (std::uint32_t i = 0; i < graph.instance_count(); ++i) {
    first_.push_back(cells);
    cells += graph.component(i).nodes().size() * wanted_[i].size();
  }
  distances_.assign(cells, kFar);
  done_ = BitSet(cells);
  for (std::uint32_t i = 0; i < graph.instance_count(); ++i) {
    for (std::size_t k = 0; k < wanted_[i].size(); ++k) {
      const NodeId exit = graph.exits(i)[wanted_[i][k]];
      if (allowed.test(graph.plain_row(i, exit))) {
        improve(i, exit, k, 0);
      }
    }
  }
  while (!open_.empty()) {
    const Item item = open_.top();
    open_.pop();
    if (!done_.insert(cell(item.instance, item.node, item.to))) {
      continue;
    }
    guard.tick();
    const Rsm& model = graph.model();
    if (model.kind(item.node) == NodeKind::Return) {
      spread_over_call(item);
      continue;
    }
    spread_to_predecessors(item, allowed);
    if (model.is_entry(item.node)) {
      spread_to_callers(item);
    }
  }
}

std::size_t ExitDistances::place(std::uint32_t instance, std::uint32_t exit) const {
  const std::vector<std::uint32_t>& list = wanted_[instance];
  const auto found = std::lower_bound(list.begin(), list.end(), exit);
  return found != list.end() && *found == exit ? static_cast<std::size_t>(found - list.begin())
                                               : list.size();
}

void ExitDistances::improve(std::uint32_t instance, NodeId n, std::size_t to, Distance distance) {
  Distance& known = distances_[cell(instance, n, to)];
  if (distance < known) {
    known = distance;
    open_.push({distance, instance, n, static_cast<std::uint32_t>(to)});
  }
}

void ExitDistances::spread_to_predecessors(const Item& item, const BitSet& allowed) {
  const Rsm& model = graph_.model();
  for (const NodeId p : model.predecessors(item.node)) {
    // A return node is no state of its own: the exit was asked when the way to it was counted.
    if (model.kind(p) == NodeKind::Return || allowed.test(graph_.plain_row(item.instance, p))) {
      improve(item.instance, p, item.to, sum(item.distance, 1));
    }
  }
}

/// The way from an entry to an exit is known: calls of that entry go on behind that exit.
void ExitDistances::spread_to_callers(const Item& item) {
  const Rsm& model = graph_.model();
  const std::uint32_t exit = wanted_[item.instance][item.to];
  for (const Frames::Caller& site : graph_.callers(item.instance)) {
    const Box& box = model.box(site.box);
    const NodeId call = box.first_call + model.entry_index(item.node);
    const NodeId after = box.first_return + exit;
    for (std::size_t k = 0; k < wanted_[site.instance].size(); ++k) {
      const std::size_t rest = cell(site.instance, after, k);
      if (done_.test(rest)) {
        improve(site.instance, call, k, sum(item.distance, distances_[rest]));
      }
    }
  }
}

/// The way on from a return node is known: calls that return there can be counted.
void ExitDistances::spread_over_call(const Item& item) {
  const Rsm& model = graph_.model();
  const BoxId b = model.box_of(item.node);
  const Box& box = model.box(b);
  const std::uint32_t callee = graph_.callee(item.instance, b);
  const std::size_t exit = place(callee, item.node - box.first_return);
  if (exit == wanted_[callee].size()) {
    return;
  }
  for (const NodeId call : box.call_nodes()) {
    const std::size_t through = cell(callee, model.origin(call), exit);
    if (done_.test(through)) {
      improve(item.instance, call, item.to, sum(distances_[through], item.distance));
    }
  }
}

GoalDistances::GoalDistances(const Frames& graph, const BitSet& allowed, const BitSet& goal,
                             const CallDistances& calls, LimitGuard& guard)
    : graph_(graph), distances_(graph.row_count(), kFar) {
  for (std::uint32_t i = 0; i < graph.instance_count(); ++i) {
    for (const NodeId n : graph.component(i).nodes()) {
      if (goal.test(graph.row(i, n))) {
        improve(i, n, 0);
      }
    }
  }
  while (!open_.empty()) {
    const Item item = open_.top();
    open_.pop();
    if (item.distance == from(item.instance, item.node)) {
      guard.tick();
      spread(item, allowed, calls);
    }
  }
}

void GoalDistances::improve(std::uint32_t instance, NodeId n, Distance distance) {
  Distance& known = distances_[graph_.row(instance, n)];
  if (distance < known) {
    known = distance;
    open_.push({distance, instance, n});
  }
}

void GoalDistances::spread(const Item& item, const BitSet& allowed, const CallDistances& calls) {
  const Rsm& model = graph_.model();
  if (model.kind(item.node) == NodeKind::Return) {
    const BoxId b = model.box_of(item.node);
    const Box& box = model.box(b);
    const std::uint32_t callee = graph_.callee(item.instance, b);
    const std::uint32_t exit = item.node - box.first_return;
    for (const NodeId call : box.call_nodes()) {
      improve(item.instance, call,
              sum(calls.through(callee, model.origin(call), exit), item.distance));
    }
    return;
  }
  for (const NodeId p : model.predecessors(item.node)) {
    if (model.kind(p) == NodeKind::Return || allowed.test(graph_.plain_row(item.instance, p))) {
      improve(item.instance, p, sum(item.distance, 1));
    }
  }
  if (model.is_entry(item.node)) {
    for (const Frames::Caller& site : graph_.callers(item.instance)) {
      improve(site.instance, model.box(site.box).first_call + model.entry_index(item.node),
              item.distance);
    }
  }
}

}  // namespace nestor
