// Facts are derived backwards, breadth first, from the nodes with ψ and from the exits in the
// context. Exits outside it need none: where a path goes on after a return, the return point's
// successor has the value 1, so by rule 3 the exit is in the callee's context.
//
// One fact a point is enough as a rule, since every value 1 inside a callee leads to the goal or
// to an exit after which the caller goes on with a value 1. Not always: the way out that was found
// first may lead back to the call, and only another one on to the goal. Then all targets are
// followed, which costs the number of exits in the context times as much.

#include "explain/least_proof.h"

#include "base/error.h"

#include <algorithm>

namespace nestor {

LeastProof::LeastProof(const Frames& frames, std::size_t place, std::size_t phi, std::size_t psi,
                       LimitGuard& guard)
    : frames_(frames), model_(frames.model()), place_(place), phi_(phi), psi_(psi), guard_(guard) {
  derive(Targets::One);
  if (!is_complete()) {
    derive(Targets::All);
    NESTOR_CHECK(is_complete());
  }
  keep_what_is_needed();
  points_ = {};
  slots_ = {};
}

void LeastProof::derive(Targets targets) {
  targets_ = targets;
  facts_.clear();
  points_.clear();
  spread_ = 0;
  first_.assign(frames_.row_count(), kNone);
  if (targets == Targets::All) {
    make_slots();
  }
  // The goal first: it is better than any exit.
  add_goals();
  spread();
  add_exits();
  spread();
}

void LeastProof::make_slots() {
  std::size_t size = 0;
  for (std::uint32_t i = 0; i < frames_.instance_count(); ++i) {
    first_slot_.push_back(size);
    std::uint32_t count = 1;
    for (std::size_t x = 0; x < frames_.exits(i).size(); ++x) {
      slot_of_exit_.push_back(frames_.in_context(place_, i, x) ? count++ : kNone);
    }
    slot_count_.push_back(count);
    size += frames_.component(i).nodes().size() * count;
  }
  slots_.assign(size, kNone);
}

void LeastProof::add_goals() {
  for (std::uint32_t i = 0; i < frames_.instance_count(); ++i) {
    for (const NodeId n : frames_.component(i).plain_nodes()) {
      if (frames_.value(psi_, i, n)) {
        add({i, n}, Fact{});
      }
    }
  }
}

void LeastProof::add_exits() {
  for (std::uint32_t i = 0; i < frames_.instance_count(); ++i) {
    for (std::uint32_t x = 0; x < frames_.exits(i).size(); ++x) {
      if (frames_.in_context(place_, i, x)) {
        Fact fact;
        fact.target = x;
        add({i, frames_.exits(i)[x]}, fact);
      }
    }
  }
}

/// The fact about a point and a target; kNone if there is none.
std::uint32_t LeastProof::find(std::uint32_t instance, NodeId n, std::uint32_t target) const {
  if (targets_ == Targets::One) {
    const std::uint32_t only = first_[frames_.row(instance, n)];
    return only != kNone && facts_[only].target == target ? only : kNone;
  }
  const std::uint32_t slot =
      target == kGoal ? 0 : slot_of_exit_[frames_.labelling().exit_row(instance, target)];
  if (slot == kNone) {
    return kNone;
  }
  const std::size_t local = n - frames_.component(instance).first_node;
  return slots_[first_slot_[instance] + local * slot_count_[instance] + slot];
}

void LeastProof::add(const Point& p, const Fact& fact) {
  const bool is_goal_itself = !fact.next.valid() && fact.target == kGoal;
  if (model_.kind(p.node) == NodeKind::Plain && !is_goal_itself &&
      !frames_.value(phi_, p.instance, p.node)) {
    return;
  }
  const std::uint32_t row = frames_.row(p.instance, p.node);
  const auto index = static_cast<std::uint32_t>(facts_.size());
  if (targets_ == Targets::One) {
    if (first_[row] != kNone) {
      return;
    }
  } else {
    if (find(p.instance, p.node, fact.target) != kNone) {
      return;
    }
    const std::uint32_t slot =
        fact.target == kGoal ? 0
                             : slot_of_exit_[frames_.labelling().exit_row(p.instance, fact.target)];
    const std::size_t local = p.node - frames_.component(p.instance).first_node;
    slots_[first_slot_[p.instance] + local * slot_count_[p.instance] + slot] = index;
  }
  facts_.push_back(fact);
  facts_.back().row = row;
  facts_.back().more = first_[row];
  points_.push_back(p);
  first_[row] = index;
}

void LeastProof::spread() {
  while (spread_ < facts_.size()) {
    guard_.tick();
    const auto fact = static_cast<std::uint32_t>(spread_++);
    const Point p = points_[fact];
    if (model_.kind(p.node) == NodeKind::Plain) {
      spread_from_node(p, fact);
    } else {
      spread_from_return(p, fact);
    }
  }
}

void LeastProof::spread_from_node(const Point& p, std::uint32_t fact) {
  Fact before;
  before.target = facts_[fact].target;
  before.rank = facts_[fact].rank + 1;
  before.next = p.node;
  for (const NodeId q : model_.predecessors(p.node)) {
    add({p.instance, q}, before);
  }
  if (!model_.is_entry(p.node)) {
    return;
  }
  const std::uint32_t entry = model_.entry_index(p.node);
  for (const Frames::Caller& caller : frames_.callers(p.instance)) {
    guard_.tick();
    const Box& box = model_.box(caller.box);
    const NodeId call = box.first_call + entry;
    if (before.target == kGoal) {
      add_before_call(caller.instance, call, fact, kNone);
      continue;
    }
    const std::uint32_t row = frames_.row(caller.instance, box.first_return + before.target);
    for (std::uint32_t k = first_[row]; k != kNone; k = facts_[k].more) {
      add_before_call(caller.instance, call, fact, k);
    }
  }
}

/// From a return point: to the calls whose callee's entry leads to its exit.
void LeastProof::spread_from_return(const Point& p, std::uint32_t fact) {
  const BoxId b = model_.box_of(p.node);
  const Box& box = model_.box(b);
  const std::uint32_t exit = p.node - box.first_return;
  const std::uint32_t callee = frames_.callee(p.instance, b);
  for (const NodeId call : box.call_nodes()) {
    if (model_.predecessors(call).empty()) {
      continue;
    }
    const std::uint32_t inside = find(callee, model_.origin(call), exit);
    if (inside != kNone) {
      add_before_call(p.instance, call, inside, fact);
    }
  }
}

/// What the predecessors of a call get: by the fact `inside` about the entry, and unless that is
/// about the goal by the fact `after` about the return point.
void LeastProof::add_before_call(std::uint32_t instance, NodeId call, std::uint32_t inside,
                                 std::uint32_t after) {
  Fact before;
  before.next = call;
  before.rank = facts_[inside].rank + 1;
  if (after != kNone) {
    before.target = facts_[after].target;
    before.rank = std::max(before.rank, facts_[after].rank + 1);
    before.through = facts_[inside].target;
  }
  for (const NodeId q : model_.predecessors(call)) {
    add({instance, q}, before);
  }
}

/// Every node with value 1 has a fact.
bool LeastProof::is_complete() const {
  for (std::uint32_t i = 0; i < frames_.instance_count(); ++i) {
    for (const NodeId n : frames_.component(i).plain_nodes()) {
      if (frames_.value(place_, i, n) && first_[frames_.row(i, n)] == kNone) {
        return false;
      }
    }
  }
  return true;
}

/// For each node with value 1 the fact with the smallest rank, and what those follow from.
void LeastProof::keep_what_is_needed() {
  std::vector<std::uint32_t> stack;
  const auto keep = [&](std::uint32_t k) {
    NESTOR_CHECK(k != kNone);
    if (!facts_[k].kept) {
      facts_[k].kept = true;
      stack.push_back(k);
    }
  };
  for (std::uint32_t i = 0; i < frames_.instance_count(); ++i) {
    for (const NodeId n : frames_.component(i).plain_nodes()) {
      if (!frames_.value(place_, i, n)) {
        continue;
      }
      std::uint32_t best = first_[frames_.row(i, n)];
      for (std::uint32_t k = best; k != kNone; k = facts_[k].more) {
        best = facts_[k].rank < facts_[best].rank ? k : best;
      }
      keep(best);
    }
  }
  while (!stack.empty()) {
    guard_.tick();
    const std::uint32_t k = stack.back();
    stack.pop_back();
    const Fact& fact = facts_[k];
    const std::uint32_t instance = points_[k].instance;
    if (!fact.next.valid()) {
      continue;
    }
    if (model_.kind(fact.next) == NodeKind::Plain) {
      keep(find(instance, fact.next, fact.target));
      continue;
    }
    const BoxId b = model_.box_of(fact.next);
    keep(find(frames_.callee(instance, b), model_.origin(fact.next), fact.through));
    if (fact.through != kNone) {
      keep(find(instance, model_.box(b).first_return + fact.through, fact.target));
    }
  }
}

}  // namespace nestor
