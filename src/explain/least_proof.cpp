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
  slots_ = {};
}

void LeastProof::derive(Targets targets) {
  targets_ = targets;
  facts_.clear();
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
  Fact fact;
  for (fact.instance = 0; fact.instance < frames_.instance_count(); ++fact.instance) {
    for (const NodeId n : frames_.component(fact.instance).plain_nodes()) {
      if (frames_.value(psi_, fact.instance, n)) {
        fact.point = n;
        add(fact);
      }
    }
  }
}

void LeastProof::add_exits() {
  Fact fact;
  for (fact.instance = 0; fact.instance < frames_.instance_count(); ++fact.instance) {
    const std::span<const NodeId> exits = frames_.exits(fact.instance);
    for (std::uint32_t x = 0; x < exits.size(); ++x) {
      if (frames_.in_context(place_, fact.instance, x)) {
        fact.point = exits[x];
        fact.target = x;
        add(fact);
      }
    }
  }
}

/// Of Targets::All: where the fact about a point and a target is entered.
std::size_t LeastProof::slot(std::uint32_t instance, NodeId n, std::uint32_t target) const {
  const std::uint32_t place =
      target == kGoal ? 0 : slot_of_exit_[frames_.labelling().exit_row(instance, target)];
  NESTOR_CHECK(place != kNone);  // no fact is about an exit outside the context
  const std::size_t local = n - frames_.component(instance).first_node;
  return first_slot_[instance] + local * slot_count_[instance] + place;
}

/// The fact about a point and a target; kNone if there is none.
std::uint32_t LeastProof::find(std::uint32_t instance, NodeId n, std::uint32_t target) const {
  if (targets_ == Targets::All) {
    return slots_[slot(instance, n, target)];
  }
  const std::uint32_t only = first_[frames_.row(instance, n)];
  return only != kNone && facts_[only].target == target ? only : kNone;
}

/// Adds a fact unless there is one about its point (and its target, if all targets count), or the
/// point is a node without φ, where no path goes on.
void LeastProof::add(const Fact& fact) {
  std::uint32_t& first = first_[frames_.row(fact.instance, fact.point)];
  if (targets_ == Targets::One ? first != kNone
                               : slots_[slot(fact.instance, fact.point, fact.target)] != kNone) {
    return;
  }
  const bool is_goal_itself = !fact.next.valid() && fact.target == kGoal;
  if (model_.kind(fact.point) == NodeKind::Plain && !is_goal_itself &&
      !frames_.value(phi_, fact.instance, fact.point)) {
    return;
  }
  const auto index = static_cast<std::uint32_t>(facts_.size());
  if (targets_ == Targets::All) {
    slots_[slot(fact.instance, fact.point, fact.target)] = index;
  }
  facts_.push_back(fact);
  facts_.back().more = first;
  first = index;
}

void LeastProof::spread() {
  for (; spread_ < facts_.size(); ++spread_) {
    guard_.tick();
    const auto fact = static_cast<std::uint32_t>(spread_);
    if (model_.kind(facts_[fact].point) == NodeKind::Plain) {
      spread_from_node(fact);
    } else {
      spread_from_return(fact);
    }
  }
}

void LeastProof::spread_from_node(std::uint32_t fact) {
  const NodeId n = facts_[fact].point;
  Fact before;
  before.instance = facts_[fact].instance;
  before.target = facts_[fact].target;
  before.rank = facts_[fact].rank + 1;
  before.next = n;
  before.inside = fact;
  for (const NodeId p : model_.predecessors(n)) {
    before.point = p;
    add(before);
  }
  if (!model_.is_entry(n)) {
    return;
  }
  const std::uint32_t entry = model_.entry_index(n);
  for (const Frames::Caller& caller : frames_.callers(before.instance)) {
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
void LeastProof::spread_from_return(std::uint32_t fact) {
  const std::uint32_t instance = facts_[fact].instance;
  const BoxId b = model_.box_of(facts_[fact].point);
  const Box& box = model_.box(b);
  const std::uint32_t exit = facts_[fact].point - box.first_return;
  const std::uint32_t callee = frames_.callee(instance, b);
  for (const NodeId call : box.call_nodes()) {
    if (model_.predecessors(call).empty()) {
      continue;
    }
    const std::uint32_t inside = find(callee, model_.origin(call), exit);
    if (inside != kNone) {
      add_before_call(instance, call, inside, fact);
    }
  }
}

/// What the predecessors of a call get: by the fact `inside` about the entry, and unless that is
/// about the goal by the fact `after` about the return point.
void LeastProof::add_before_call(std::uint32_t instance, NodeId call, std::uint32_t inside,
                                 std::uint32_t after) {
  Fact before;
  before.instance = instance;
  before.next = call;
  before.rank = facts_[inside].rank + 1;
  before.inside = inside;
  if (after != kNone) {
    before.target = facts_[after].target;
    before.rank = std::max(before.rank, facts_[after].rank + 1);
    before.after = after;
  }
  for (const NodeId p : model_.predecessors(call)) {
    before.point = p;
    add(before);
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
  for (std::uint32_t i = 0; i < frames_.instance_count(); ++i) {
    for (const NodeId n : frames_.component(i).plain_nodes()) {
      if (!frames_.value(place_, i, n)) {
        continue;
      }
      std::uint32_t best = first_[frames_.row(i, n)];
      for (std::uint32_t k = best; k != kNone; k = facts_[k].more) {
        best = facts_[k].rank < facts_[best].rank ? k : best;
      }
      facts_[best].kept = true;
    }
  }
  // A fact follows from earlier ones.
  for (std::size_t k = facts_.size(); k-- > 0;) {
    if (facts_[k].kept) {
      for (const std::uint32_t earlier : {facts_[k].inside, facts_[k].after}) {
        if (earlier != kNone) {
          facts_[earlier].kept = true;
        }
      }
    }
  }
}

}  // namespace nestor
