// Ternary refinement, after
//   [DWF24] C. Dubslaff, P. Wienhöft, A. Fehnker: Lazy model checking for recursive state machines.
//           Software and Systems Modeling, 2024.  Section 5.2, Algorithm 1 and figure 4.
//
//   paper            here                     remark
//   ∂'               ContextMachine::value    refined in place
//   Φ, φ1, φ2        f, left(s,f), right(s,f)
//   Sat_pes          what is (set to) True
//   Sat_opt          what is not (set to) False
//   n →₊ n'          target(), for_each_predecessor()
//
// Deviations.
// - Algorithm 1 computes Sat_pes and Sat_opt from nothing. Here both continue from the values so
//   far, beginning at the states `changed` where an operand, a context, a callee or a successor's
//   value is new. The run that grows a set spreads backwards by a worklist. The run that shrinks a
//   set first takes the *region*: the unknown states that lead to a changed state through unknown
//   states. What is unknown outside the region keeps the reason it had, since a reason that runs
//   through a changed state puts all states before it into the region.
// - At an exit Algorithm 1 takes γ alone. Example 10 needs more: n4 does not have the colour, so EG
//   of the colour is false there whatever the callers say. So where γ is unknown the operands at
//   the exit may still decide.
// - Line 6 of the paper sets both branches to tt; the second is meant to be ff.
#include "engine/strategies/refine_ternary.h"

#include "base/inline.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::strategies {

RefineTernary::RefineTernary(ContextMachine& machine)
    : machine_(machine), table_(machine.table()) {}

void RefineTernary::start(SubId f) {
  assert(machine_.agenda().end() <= f);
  switch (table_[f].op) {
    case logic::Op::True:
    case logic::Op::Atom:
      start_atom(f);
      break;
    case logic::Op::Not:
    case logic::Op::Or:
      start_boolean(f);
      break;
    default: {
      std::size_t size = 0;
      for (const InstanceId i : machine_.alive_instances()) {
        size += machine_.instance(i).width;
      }
      machine_.guard().reserve(size * sizeof(State));
      std::vector<State> all(size);
      std::size_t place = 0;
      for (const InstanceId i : machine_.alive_instances()) {
        machine_.for_each_state(i, [&](State s) { all[place++] = s; });
      }
      all.resize(place);
      refine(f, all);
      break;
    }
  }
  machine_.agenda().extend_to(f + 1);
}

void RefineTernary::run() {
  Agenda& agenda = machine_.agenda();
  while (!agenda.empty()) {
    const SubId f = agenda.take(changed_);
    std::erase_if(changed_, [this](State s) { return !machine_.alive(s.instance); });
    assert(f < agenda.end());
    refine(f, changed_);
  }
  machine_.refined();
}

void RefineTernary::refine(SubId f, const std::vector<State>& changed) {
  machine_.guard().tick(changed.size() + 1);
  scratch_.resize(machine_.instances().size());
  switch (table_[f].op) {
    case logic::Op::EX:
      refine_next(f, changed);
      break;
    case logic::Op::EG:
      refine_globally(f, changed);
      break;
    case logic::Op::EU:
      refine_until(f, changed);
      break;
    default:
      for (const State s : changed) {
        if (!known(machine_.value(s, f))) {
          const Ternary value = evaluate_boolean(s, f);
          if (known(value)) {
            machine_.set(s, f, value);
          }
        }
      }
      break;
  }
}

void RefineTernary::start_atom(SubId f) {  // lines 4 to 6
  const model::Rsm& model = machine_.model();
  const bool constant = table_[f].op == logic::Op::True;
  std::vector<Ternary> labelled(model.node_count(), constant ? Ternary::True : Ternary::False);
  if (!constant) {
    const model::PropId p = model.find_prop(table_.pool().atom_name(table_[f].formula));
    if (p.valid()) {
      for (const model::NodeId n : model.nodes_with(p)) {
        labelled[n.value()] = Ternary::True;
      }
    }
  }
  for (const InstanceId i : machine_.alive_instances()) {
    const std::span<Ternary> row = machine_.row(i, f);
    const std::uint32_t first = machine_.instance(i).first_node;
    machine_.guard().tick(row.size() / 8 + 1);
    machine_.for_each_state(
        i, [&](State s) { row[s.node.value() - first] = labelled[model.origin(s.node).value()]; });
  }
}

void RefineTernary::start_boolean(SubId f) {  // lines 7 to 10
  const Subformula& sub = table_[f];
  for (const InstanceId i : machine_.alive_instances()) {
    const std::span<Ternary> row = machine_.row(i, f);
    const std::span<const Ternary> operand = machine_.row(i, sub.left);
    const std::span<const Ternary> other =
        machine_.row(i, sub.op == logic::Op::Or ? sub.right : sub.left);
    assert(operand.size() == row.size() && sub.left < f);
    machine_.guard().tick(row.size() / 32 + 1);
    for (std::size_t n = 0; n < row.size(); ++n) {
      row[n] = sub.op == logic::Op::Not ? complement(operand[n]) : std::max(operand[n], other[n]);
    }
  }
}

Ternary RefineTernary::evaluate_boolean(State s, SubId f) const {
  const Subformula& sub = table_[f];
  if (sub.op == logic::Op::Not) {
    return complement(machine_.value(s, sub.left));
  }
  assert(sub.op == logic::Op::Or);
  return std::max(machine_.value(s, sub.left), machine_.value(s, sub.right));
}

// An open return node only hands on what its successors say (context_machine.h).
NESTOR_INLINE Ternary RefineTernary::left(State s, SubId f) const {
  return machine_.role(s.node) == Role::OpenReturn ? Ternary::True
                                                   : machine_.value(s, table_[f].left);
}

NESTOR_INLINE Ternary RefineTernary::right(State s, SubId f) const {
  return machine_.role(s.node) == Role::OpenReturn ? Ternary::False
                                                   : machine_.value(s, table_[f].right);
}

Ternary RefineTernary::evaluate_next(State s, SubId f) const {
  const Role role = machine_.role(s.node);
  if (role == Role::ClosedExit) {
    return machine_.context(s, f);  // line 13
  }
  Ternary result = role == Role::OpenExit ? machine_.context(s, f) : Ternary::False;
  for (const model::NodeId n : machine_.model().successors(s.node)) {  // line 12
    if (result == Ternary::True) {
      break;
    }
    result = std::max(result, machine_.value(machine_.target(s.instance, n), table_[f].left));
  }
  return result;
}

void RefineTernary::refine_next(SubId f, const std::vector<State>& changed) {
  for (const State s : changed) {
    if (known(machine_.value(s, f)) || mark(s) != Mark::None) {
      continue;
    }
    mark(s) = Mark::Region;
    push(region_, s);
    const Ternary value = evaluate_next(s, f);
    if (known(value)) {
      machine_.set(s, f, value);
    }
  }
  forget_marks();
}

// One step of lines 27 to 30: true if `s` belongs to Sat_pes because of its neighbours.
bool RefineTernary::surely_until(State s, SubId f) const {
  if (right(s, f) == Ternary::True) {
    return true;
  }
  const Role role = machine_.role(s.node);
  if (role == Role::ClosedExit) {
    return machine_.context(s, f) == Ternary::True;
  }
  if (left(s, f) != Ternary::True) {
    return false;
  }
  if (role == Role::OpenExit && machine_.context(s, f) == Ternary::True) {
    return true;
  }
  for (const model::NodeId n : machine_.model().successors(s.node)) {
    if (machine_.value(machine_.target(s.instance, n), f) == Ternary::True) {
      return true;
    }
  }
  return false;
}

// One step of lines 32 to 34, at a state of the region: true if `s` belongs to Sat_opt for a reason
// that does not run through the region.
bool RefineTernary::hopeful_until(State s, SubId f) {
  const Role role = machine_.role(s.node);
  const Ternary phi1 = left(s, f);
  const Ternary phi2 = right(s, f);
  if (role == Role::ClosedExit) {
    const bool decided = phi1 == Ternary::False && phi2 == Ternary::False;
    return machine_.context(s, f) != Ternary::False && !decided;
  }
  if (phi2 != Ternary::False) {
    return true;
  }
  if (phi1 == Ternary::False) {
    return false;
  }
  if (role == Role::OpenExit && machine_.context(s, f) != Ternary::False) {
    return true;
  }
  for (const model::NodeId n : machine_.model().successors(s.node)) {
    const State next = machine_.target(s.instance, n);
    const Ternary value = machine_.value(next, f);
    if (value == Ternary::True || (value == Ternary::Unknown && mark(next) == Mark::None)) {
      return true;
    }
  }
  return false;
}

void RefineTernary::refine_until(SubId f, const std::vector<State>& changed) {
  base::LimitGuard& guard = machine_.guard();
  // Pessimistic run: Sat_pes grows.                                          lines 26 to 30
  work_.clear();
  for (const State s : changed) {
    if (!known(machine_.value(s, f)) && surely_until(s, f)) {
      machine_.set(s, f, Ternary::True);
      push(work_, s);
    }
  }
  while (!work_.empty()) {
    const State s = work_.back();
    work_.pop_back();
    guard.tick();
    machine_.for_each_predecessor(s, [this, f](State p) {
      if (!known(machine_.value(p, f)) && left(p, f) == Ternary::True) {
        machine_.set(p, f, Ternary::True);
        push(work_, p);
      }
    });
  }
  // Optimistic run: Sat_opt shrinks within the region.                       lines 31 to 35
  collect_region(f, changed);
  assert(work_.empty());
  for (const State s : region_) {
    guard.tick();
    if (mark(s) == Mark::Region && hopeful_until(s, f)) {
      mark(s) = Mark::Good;
      push(work_, s);
    }
  }
  while (!work_.empty()) {
    const State s = work_.back();
    work_.pop_back();
    guard.tick();
    machine_.for_each_predecessor(s, [this, f](State p) {
      if (mark(p) == Mark::Region && left(p, f) != Ternary::False) {
        mark(p) = Mark::Good;
        push(work_, p);
      }
    });
  }
  for (const State s : region_) {
    if (mark(s) == Mark::Region) {
      assert(machine_.role(s.node) == Role::ClosedExit || right(s, f) == Ternary::False);
      machine_.set(s, f, Ternary::False);
    }
  }
  forget_marks();
}

// One step of lines 22, 23: true if `s` drops out of Sat_opt. The cursor stands at the first
// successor that is not False; it only moves forward, as values never become unknown again.
bool RefineTernary::surely_not_globally(State s, SubId f) {
  if (left(s, f) == Ternary::False) {
    return true;
  }
  const Role role = machine_.role(s.node);
  if (role == Role::DeadEnd) {
    return false;
  }
  if ((role == Role::ClosedExit || role == Role::OpenExit) &&
      machine_.context(s, f) != Ternary::False) {
    return false;
  }
  const std::span<const model::NodeId> successors = machine_.model().successors(s.node);
  std::uint32_t& place = cursor(s);
  while (place < successors.size() &&
         machine_.value(machine_.target(s.instance, successors[place]), f) == Ternary::False) {
    ++place;
  }
  return place == successors.size();
}

// One step of lines 17, 18, at a state of the region with φ1: true if `s` stays in Sat_pes. The
// cursor stands at the first successor that is, or may turn out to be, in Sat_pes.
bool RefineTernary::supported_globally(State s, SubId f) {
  const Role role = machine_.role(s.node);
  if (role == Role::DeadEnd) {
    return true;
  }
  if ((role == Role::ClosedExit || role == Role::OpenExit) &&
      machine_.context(s, f) == Ternary::True) {
    return true;
  }
  const std::span<const model::NodeId> successors = machine_.model().successors(s.node);
  std::uint32_t& place = cursor(s);
  while (place < successors.size()) {
    const State next = machine_.target(s.instance, successors[place]);
    if (machine_.value(next, f) == Ternary::True || mark(next) == Mark::Good) {
      return true;
    }
    ++place;
  }
  return false;
}

void RefineTernary::refine_globally(SubId f, const std::vector<State>& changed) {
  base::LimitGuard& guard = machine_.guard();
  // Optimistic run: what leaves Sat_opt grows.                               lines 20 to 24
  work_.clear();
  const auto drop = [this, f](State s) {
    if (!known(machine_.value(s, f)) && surely_not_globally(s, f)) {
      machine_.set(s, f, Ternary::False);
      push(work_, s);
    }
  };
  for (const State s : changed) {
    drop(s);
  }
  while (!work_.empty()) {
    const State s = work_.back();
    work_.pop_back();
    guard.tick();
    machine_.for_each_predecessor(s, drop);
  }
  forget_cursors();
  // Pessimistic run: Sat_pes is the greatest set of states of the region with φ1 that support each
  // other or are supported by what is True.                                  lines 15 to 19
  collect_region(f, changed);
  for (const State s : region_) {
    const bool given =
        machine_.role(s.node) == Role::ClosedExit && machine_.context(s, f) == Ternary::True;
    if (left(s, f) == Ternary::True || given) {
      mark(s) = Mark::Good;
    }
  }
  const auto remove = [this, f](State s) {
    if (mark(s) == Mark::Good && !supported_globally(s, f)) {
      mark(s) = Mark::Region;
      push(work_, s);
    }
  };
  for (const State s : region_) {
    guard.tick();
    remove(s);
  }
  while (!work_.empty()) {
    const State s = work_.back();
    work_.pop_back();
    guard.tick();
    machine_.for_each_predecessor(s, remove);
  }
  for (const State s : region_) {
    if (mark(s) == Mark::Good) {
      assert(machine_.role(s.node) == Role::ClosedExit || left(s, f) == Ternary::True);
      machine_.set(s, f, Ternary::True);
    }
  }
  forget_marks();
  forget_cursors();
}

// Where the strategies spend most of their time: with all calls put in place.
[[gnu::flatten]] void RefineTernary::collect_region(SubId f, const std::vector<State>& changed) {
  assert(region_.empty());
  const auto add = [this, f](State s) {
    if (!known(machine_.value(s, f)) && mark(s) == Mark::None) {
      mark(s) = Mark::Region;
      push(region_, s);
    }
  };
  for (const State s : changed) {
    add(s);
  }
  for (std::size_t i = 0; i < region_.size(); ++i) {
    machine_.guard().tick();
    machine_.for_each_predecessor(region_[i], add);
  }
}

void RefineTernary::make_marks(InstanceId instance) {
  assert(machine_.alive(instance));
  machine_.guard().reserve(machine_.instance(instance).width * sizeof(Mark));
  scratch_[instance].marks.assign(machine_.instance(instance).width, Mark::None);
}

void RefineTernary::make_cursors(InstanceId instance) {
  machine_.guard().reserve(machine_.instance(instance).width * sizeof(std::uint32_t));
  scratch_[instance].cursors.assign(machine_.instance(instance).width, 0);
}

void RefineTernary::forget_marks() {
  for (const State s : region_) {
    mark(s) = Mark::None;
  }
  region_.clear();
}

void RefineTernary::forget_cursors() {
  for (const State s : with_cursors_) {
    scratch_[s.instance].cursors[s.node.value() - machine_.instance(s.instance).first_node] = 0;
  }
  with_cursors_.clear();
}

}  // namespace nestor::engine::strategies
