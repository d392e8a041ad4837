#include "explain/entry_distances.h"

#include "base/error.h"

#include <algorithm>

namespace nestor {

std::size_t EntryDistances::size(const Frames& frames) {
  std::size_t cells = 0;
  for (std::uint32_t i = 0; i < frames.instance_count(); ++i) {
    cells += frames.component(i).nodes().size() * frames.entries(i).size();
  }
  return cells;
}

EntryDistances::EntryDistances(const Frames& frames, const BitSet& allowed, LimitGuard& guard)
    : frames_(frames), allowed_(allowed) {
  std::size_t cells = 0;
  for (std::uint32_t i = 0; i < frames.instance_count(); ++i) {
    first_.push_back(cells);
    cells += frames.component(i).nodes().size() * frames.entries(i).size();
  }
  cells_.resize(cells);
  done_ = BitSet(cells);
  for (std::uint32_t i = 0; i < frames.instance_count(); ++i) {
    for (std::uint32_t e = 0; e < frames.entries(i).size(); ++e) {
      if (is_allowed(i, frames.entries(i)[e])) {
        improve(i, e, frames.entries(i)[e], 0, NodeId());
      }
    }
  }
  const Rsm& model = frames.model();
  while (!open_.empty()) {
    const Item item = open_.top();
    open_.pop();
    if (!done_.insert(cell(item.instance, item.entry, item.node))) {
      continue;
    }
    guard.tick();
    if (model.kind(item.node) == NodeKind::Call) {
      spread_over_call(item);
      continue;
    }
    spread_to_successors(item);
    if (model.is_exit(item.node)) {
      spread_to_callers(item);
    }
  }
}

bool EntryDistances::is_allowed(std::uint32_t instance, NodeId n) const {
  const Rsm& model = frames_.model();
  if (model.kind(n) == NodeKind::Plain) {
    return allowed_.test(frames_.plain_row(instance, n));
  }
  return allowed_.test(
      frames_.plain_row(frames_.callee(instance, model.box_of(n)), model.origin(n)));
}

void EntryDistances::improve(std::uint32_t instance, std::uint32_t entry, NodeId n,
                             Distance distance, NodeId before) {
  Cell& known = cells_[cell(instance, entry, n)];
  if (distance < known.distance) {
    known = {distance, before};
    open_.push({distance, instance, entry, n});
  }
}

void EntryDistances::spread_to_successors(const Item& item) {
  for (const NodeId m : frames_.model().successors(item.node)) {
    if (is_allowed(item.instance, m)) {
      improve(item.instance, item.entry, m, sum(item.distance, 1), item.node);
    }
  }
}

/// The way to a call node is known: it goes on behind the exits to which the way is known.
void EntryDistances::spread_over_call(const Item& item) {
  const Rsm& model = frames_.model();
  const BoxId b = model.box_of(item.node);
  const std::uint32_t callee = frames_.callee(item.instance, b);
  const std::uint32_t entry = item.node - model.box(b).first_call;
  const auto exits = frames_.exits(callee);
  for (std::uint32_t x = 0; x < exits.size(); ++x) {
    const std::size_t inside = cell(callee, entry, exits[x]);
    if (done_.test(inside)) {
      improve(item.instance, item.entry, model.box(b).first_return + x,
              sum(item.distance, cells_[inside].distance), item.node);
    }
  }
}

/// The way from an entry to an exit is known: calls to which the way is known can go on.
void EntryDistances::spread_to_callers(const Item& item) {
  const Rsm& model = frames_.model();
  const std::uint32_t exit = model.exit_index(item.node);
  for (const Frames::Caller& site : frames_.callers(item.instance)) {
    const NodeId call = model.box(site.box).first_call + item.entry;
    for (std::uint32_t e = 0; e < frames_.entries(site.instance).size(); ++e) {
      const std::size_t before = cell(site.instance, e, call);
      if (done_.test(before)) {
        improve(site.instance, e, model.box(site.box).first_return + exit,
                sum(cells_[before].distance, item.distance), call);
      }
    }
  }
}

Distance EntryDistances::through(std::uint32_t instance, NodeId entry, std::uint32_t exit) const {
  return cells_[cell(instance, frames_.model().entry_index(entry), frames_.exits(instance)[exit])]
      .distance;
}

std::vector<NodeId> EntryDistances::way(std::uint32_t instance, NodeId entry,
                                        std::uint32_t exit) const {
  const std::uint32_t e = frames_.model().entry_index(entry);
  std::vector<NodeId> nodes;
  for (NodeId n = frames_.exits(instance)[exit]; n.valid();
       n = cells_[cell(instance, e, n)].before) {
    nodes.push_back(n);
  }
  NESTOR_CHECK(nodes.back() == entry);
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace nestor
