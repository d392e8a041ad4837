#include "engine/rks/local_checks.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace nestor::engine::rks {

std::uint32_t LocalChecks::add(const AssociatedStructure& without,
                               const AssociatedStructure& with) {
  assert(without.omega == Ternary::False && with.omega == Ternary::True);
  const auto first = static_cast<std::uint32_t>(pairs_.size());
  for (const AssociatedStructure& structure : {without, with}) {
    base::reserve_one_more(pairs_, guard_);
    Pair& pair = pairs_.emplace_back();
    pair.structure = structure;
    const std::size_t boxes = model_.component(structure.component).boxes().size();
    guard_.reserve(boxes * (sizeof(std::uint32_t) + sizeof(Ternary)));
    guard_.tick(boxes / 16 + 1);
    pair.callees.assign(boxes, kNone);
    pair.after.assign(boxes, Ternary::Maybe);
  }
  return first;
}

void LocalChecks::connect(std::uint32_t caller, model::BoxId box, std::uint32_t callee) {
  Pair& pair = pairs_[caller];
  assert(pairs_[callee].structure.component == model_.box(box).callee &&
         pairs_[callee].structure.omega == Ternary::False);
  pair.callees[place(caller, box)] = callee;
  pair.after[place(caller, box)] =
      assumption_after(model_, pair.structure.op, pair.structure.labels, box);
  base::reserve_one_more(pairs_[callee].sites, guard_);
  pairs_[callee].sites.push_back({caller, box});
  update_calls(caller, box);
}

void LocalChecks::found(std::uint32_t pair, model::NodeId node) {
  base::reserve_one_more(found_, guard_);
  found_.push_back({pair, node});
}

bool LocalChecks::check(std::uint32_t p) {
  Pair& pair = pairs_[p];
  if (!pair.has_work()) {
    return false;
  }
  base::reserve_one_more(order_, guard_);
  order_.push_back({p, round_});
  const std::vector<model::NodeId> new_ones =
      pair.is_checked ? deduce_from_calls(pair.structure, pair.seen, pair.calls, guard_)
                      : deduce_labels(pair.structure, guard_);
  if (!pair.is_checked) {
    const std::size_t locations = model_.component(pair.structure.component).plain_nodes().size();
    pair.maybes = static_cast<std::size_t>(
        std::ranges::count(pair.structure.labels.first(locations), Ternary::Maybe));
    pair.is_checked = true;
  } else {
    pair.maybes -= new_ones.size();
  }
  pair.calls.clear();
  for (const model::NodeId n : new_ones) {
    found(p, n);
  }
  return !new_ones.empty();
}

void LocalChecks::decide_remaining_maybes(std::uint32_t p, Ternary rest) {
  const AssociatedStructure& structure = pairs_[p].structure;
  const model::Component& component = model_.component(structure.component);
  guard_.tick(component.nodes().size() / 16 + 1);
  for (const model::NodeId n : component.nodes()) {
    if (structure.labels[structure.place(n)] == Ternary::Maybe) {
      structure.labels[structure.place(n)] = rest;
      if (model_.is_entry(n)) {
        found(p, n);
      }
    }
  }
  pairs_[p].maybes = 0;
  pairs_[p].calls.clear();
}

std::vector<std::uint32_t> LocalChecks::hand_on() {
  while (!found_.empty()) {
    const Found last = found_.back();
    found_.pop_back();
    hand_to_boxes_before(last);
    if (model_.is_entry(last.node)) {
      hand_to_callers(last);
    }
  }
  for (const std::uint32_t p : told_) {
    pairs_[p].is_told = false;
  }
  return std::exchange(told_, {});
}

/// The assumption of a box, if one of the successors of its return node has become known.
void LocalChecks::hand_to_boxes_before(const Found& found) {
  Pair& pair = pairs_[found.pair];
  const AssociatedStructure& structure = pair.structure;
  const Ternary value = structure.labels[structure.place(found.node)];
  for (const model::NodeId before : model_.predecessors(found.node)) {
    guard_.tick();
    if (model_.kind(before) != model::NodeKind::Return) {
      continue;
    }
    const model::BoxId box = model_.box_of(before);
    Ternary& after = pair.after[place(found.pair, box)];
    if (pair.callees[place(found.pair, box)] == kNone || after != Ternary::Maybe) {
      continue;
    }
    if (value == Ternary::True || all_successors_false(structure, pair.seen, before, guard_)) {
      after = value;
      update_calls(found.pair, box);
    }
  }
}

void LocalChecks::hand_to_callers(const Found& found) {
  const bool eta = pairs_[found.pair].structure.omega == Ternary::True;
  const std::uint32_t entry = model_.entry_index(found.node);
  for (const Site& site : pairs_[found.pair - (eta ? 1 : 0)].sites) {
    update_call(site.caller, model_.box(site.box).first_call + entry);
  }
}

void LocalChecks::update_calls(std::uint32_t p, model::BoxId box) {
  for (const model::NodeId call : model_.box(box).call_nodes()) {
    update_call(p, call);
  }
}

void LocalChecks::update_call(std::uint32_t p, model::NodeId call) {
  guard_.tick();
  Pair& pair = pairs_[p];
  Ternary& value = pair.structure.labels[pair.structure.place(call)];
  if (value != Ternary::Maybe) {
    return;
  }
  const std::size_t box = place(p, model_.box_of(call));
  const std::uint32_t callee = pair.callees[box];
  const auto at_entry = [&](std::uint32_t q) {
    const AssociatedStructure& structure = pairs_[q].structure;
    return structure.labels[structure.place(model_.origin(call))];
  };
  value = pair.after[box] == Ternary::Maybe
              ? join(at_entry(callee), at_entry(callee + 1))  // equation 3.2
              : at_entry(callee + (pair.after[box] == Ternary::True ? 1 : 0));
  if (value == Ternary::Maybe) {
    return;
  }
  if (!pair.is_checked || pair.maybes > 0) {
    base::reserve_one_more(pair.calls, guard_);
    pair.calls.push_back(call);
  }
  found(p, call);
  if (!pair.is_told && pair.has_work()) {
    pair.is_told = true;
    told_.push_back(p);
  }
}

void LocalChecks::label_by_fixpoint(std::span<const std::uint32_t> xi) {
  std::vector<bool> is_in_xi(pairs_.size(), false);
  for (const std::uint32_t p : xi) {
    is_in_xi[p] = true;
  }
  std::vector<std::uint32_t> round(xi.begin(), xi.end());
  while (!round.empty()) {  // lines 1 to 6
    ++round_;
    for (const std::uint32_t p : round) {
      check(p);
    }
    round = hand_on();
    std::erase_if(round, [&](std::uint32_t p) { return !is_in_xi[p]; });
  }
  round_ = 0;
}

}  // namespace nestor::engine::rks
