// The top-down expansion heuristic, after
//   [DWF24] C. Dubslaff, P. Wienhöft, A. Fehnker: Lazy model checking for recursive state machines.
//           Software and Systems Modeling, 2024.  Section 6.3, Algorithm 6 (GETNEXTEXPANSION) and
//           Algorithm 7 (FINDREASON).
//
//   paper      here               remark
//   (n, Φ)     Pair               n is a state of an instance
//   R          visited_           one set for the whole search, not one a path
//   D          explored_          resolve_cycle.cpp
//   box stack  Demand::callers    Alg. 6 begins with ε: which boxes an exit may return to
//   the call stack of FINDREASON  stack_, so depth costs no C++ stack
//
// Deviations.
// - R is local in the paper, which makes the search exponential. A pair that was visited need not
//   be visited again on another path, so one set is enough and the search is linear.
// - Line 11 goes from an exit to all boxes that call its instance, most of which may have nothing
//   to do with the question. Here a search leaves an instance only through boxes by which the
//   question came in: the callers of the instance's demand for the formula. A question that turns
//   from a formula to an operand, or goes on after a return, stays one on behalf of the same
//   callers.
// - Line 8: for EU and EG, a box whose return node has the value that resolution would give, false
//   for EU and true for EG, is no reason: the question is decided without a context for it.
// - All the boxes that one search finds are returned, not only the first; with another Choice, the
//   first one, where operands and successors are taken from the left, as section 8.1.1 has it, or
//   at random.
// - What is resolved when no box is found is not D but the explored pairs: resolve_cycle.cpp.
// - The search is not begun anew after each contextualisation but continued (resume()), until it
//   finds nothing. Only a search from the beginning that finds nothing leads to resolution. (If
//   the first box ends the search, it is begun anew, as in the paper.)
#include "engine/strategies/find_reason.h"

#include "base/debug_assert.h"
#include "base/inline.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::strategies {

std::vector<CallSite> FindReason::get_next_expansion() {
  if (choice_ == Choice::All && !reasons_.empty()) {
    resume();
  }
  if (choice_ != Choice::All || reasons_.empty()) {
    start();
  }
  if (choice_ != Choice::All && !reasons_.empty()) {
    reasons_.resize(1);
  }
  return reasons_;  // Alg. 6, lines 4, 6; D_all is explored_
}

void FindReason::start() {
  forget();
  for (const model::NodeId en : machine_.model().initial_nodes()) {  // Alg. 6, line 2
    explore({machine_.root(), en}, table_.root());
  }
  find_reason();  // line 3
}

// Continues the last search after the boxes it found have been contextualised: looks again where
// something has changed that may lead further.
void FindReason::resume() {
  const std::vector<CallSite> contextualised = std::move(reasons_);
  reasons_.clear();
  visited_.resize(machine_.instances().size());
  for (const CallSite& site : contextualised) {
    if (machine_.alive(site.instance)) {
      revisit_calls(site);
    }
  }
  std::vector<Pair> blocked;
  blocked.swap(blocked_);
  for (const Pair& pair : blocked) {
    if (machine_.alive(pair.state.instance) && !known(machine_.value(pair.state, pair.formula))) {
      visit(pair);
    }
  }
  for (const CallSite& site : machine_.take_newly_contextualisable()) {
    recheck_return(site);
  }
  find_reason();
}

// A new callee: the questions that were asked of the old one are asked of it.
void FindReason::revisit_calls(CallSite site) {
  for (const model::NodeId call : machine_.model().box(site.box).call_nodes()) {
    for (const model::NodeId p : machine_.model().predecessors(call)) {
      for (const SubId f : table_.existential()) {
        const State state{site.instance, p};
        if (is_visited(state, f) && !known(machine_.value(state, f))) {
          visit({state, f});
        }
      }
    }
  }
}

void FindReason::recheck_return(CallSite site) {
  const InstanceId callee = machine_.callee_of(site);
  assert(callee != machine_.root());
  for (const SubId f : table_.existential()) {
    const auto found = demand_of_.find(demand_key(callee, f));
    if (found == demand_of_.end()) {
      continue;
    }
    const Demand& d = demands_[found->second];
    const bool asked = std::any_of(d.callers.begin(), d.callers.end(),
                                   [site](const Caller& caller) { return caller.site == site; });
    for (const model::NodeId exit : d.exits) {
      if (asked && is_reason(f, machine_.value(machine_.return_of(site, exit), f))) {
        reasons_.push_back(site);
        return;
      }
    }
  }
}

void FindReason::find_reason() {
  take_new_callers();
  while (!stack_.empty() && !is_done()) {
    const Pair pair = stack_.back();
    stack_.pop_back();
    machine_.guard().tick();
    if (!insert_visited(pair.state, pair.formula)) {
      continue;  // Alg. 7, lines 21, 30
    }
    explored_.push_back(pair);
    const std::size_t first = stack_.size();
    visit(pair);
    put_in_order(first);
    take_new_callers();
  }
  assert(new_callers_.empty());
}

/// What a visit has put on the stack from `first` on is popped in the order of the choice. Visits
/// put operands there from the right and successors from the left.
void FindReason::put_in_order(std::size_t first) {
  const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(first);
  if (choice_ == Choice::Random) {
    std::shuffle(begin, stack_.end(), random_);
  } else if (choice_ == Choice::Leftmost && stack_.size() > first + 1 &&
             stack_[first].formula == stack_.back().formula) {
    std::reverse(begin, stack_.end());
  }
}

void FindReason::visit(const Pair& pair) {
  const State n = pair.state;
  assert(!known(machine_.value(n, pair.formula)));  // the search asks what is not known
  const Subformula& phi = table_[pair.formula];
  if (phi.op == logic::Op::Not || phi.op == logic::Op::Or) {  // lines 2 to 6
    if (phi.op == logic::Op::Or) {
      visit_operand(pair, phi.right);
    }
    visit_operand(pair, phi.left);
    return;
  }
  assert(phi.existential.valid() && machine_.role(n.node) != Role::Call);
  const Role role = machine_.role(n.node);
  if (role == Role::ClosedExit) {
    visit_exit(pair);  // lines 8 to 13
    return;
  }
  if (phi.op != logic::Op::EX && role != Role::OpenReturn) {
    if (phi.op == logic::Op::EU && !known(machine_.value(n, phi.right))) {
      visit_operand(pair, phi.right);  // line 27
      blocked_.push_back(pair);
      return;
    }
    if (!known(machine_.value(n, phi.left))) {
      visit_operand(pair, phi.left);  // lines 19, 28
      blocked_.push_back(pair);
      return;
    }
  }
  if (role == Role::OpenExit) {
    visit_exit(pair);
  }
  visit_successors(pair, phi.op == logic::Op::EX ? phi.left : pair.formula);  // lines 15, 20, 29
}

void FindReason::visit_operand(const Pair& pair, SubId operand) {
  if (!known(machine_.value(pair.state, operand))) {
    explore(pair.state, operand);
    pass_on(pair.state.instance, pair.formula, operand);
  }
}

void FindReason::visit_successors(const Pair& pair, SubId wanted) {
  const InstanceId here = pair.state.instance;
  for (const model::NodeId n : machine_.model().successors(pair.state.node)) {
    const State next = machine_.target(here, n);
    if (known(machine_.value(next, wanted))) {
      continue;
    }
    explore(next, wanted);
    if (machine_.role(n) == Role::Call) {  // line 7
      const CallSite site{here, machine_.model().box_of(n)};
      new_callers_.push_back({demand(next.instance, wanted), {site, pair.formula}});
    } else {
      pass_on(here, pair.formula, wanted);
    }
  }
}

void FindReason::visit_exit(const Pair& exit) {  // lines 8 to 13
  const SubId f = exit.formula;
  assert(machine_.model().is_exit(exit.state.node) && table_[f].existential.valid());
  if (known(machine_.context(exit.state, f))) {
    return;
  }
  if (exit.state.instance == machine_.root()) {
    assert(table_[f].op == logic::Op::EX);
    visit_operand(exit, table_[f].left);  // the self-loop: γ_0 is read from ∂
    return;
  }
  const DemandId d = demand(exit.state.instance, f);
  demands_[d].exits.push_back(exit.state.node);
  for (std::size_t i = 0; i < demands_[d].callers.size(); ++i) {
    leave(d, Caller(demands_[d].callers[i]), exit.state.node);
  }
}

void FindReason::leave(DemandId from, const Caller& caller, model::NodeId exit) {
  machine_.guard().tick();
  if (!machine_.alive(caller.site.instance) ||
      machine_.callee_of(caller.site) != demands_[from].instance) {
    return;  // the box has been contextualised since it asked
  }
  assert(machine_.model().box(caller.site.box).callee == machine_.model().component_of(exit));
  const SubId f = demands_[from].formula;
  const State after = machine_.return_of(caller.site, exit);
  const Ternary value = machine_.value(after, f);
  if (!known(value)) {
    explore(after, f);  // lines 11, 12
    pass_on(after.instance, caller.asking, f);
  } else if (is_reason(f, value)) {
    reasons_.push_back(caller.site);  // line 9: base case
  }
}

bool FindReason::is_reason(SubId f, Ternary value) const {
  return known(value) && (table_[f].op == logic::Op::EX || value != resolved_value(f));
}

// From now on `to` is asked of the instance on behalf of all who ask `from`.
void FindReason::pass_on(InstanceId instance, SubId from, SubId to) {
  if (from == to || instance == machine_.root()) {
    return;
  }
  const DemandId target = demand(instance, to);
  Demand& source = demands_[demand(instance, from)];
  if (std::find(source.same_callers.begin(), source.same_callers.end(), to) !=
      source.same_callers.end()) {
    return;
  }
  source.same_callers.push_back(to);
  for (const Caller& caller : source.callers) {
    new_callers_.push_back({target, caller});
  }
}

void FindReason::take_new_callers() {
  while (!new_callers_.empty()) {
    const NewCaller next = new_callers_.back();
    new_callers_.pop_back();
    machine_.guard().tick();
    assert(demands_[next.demand].instance != machine_.root());  // nobody calls it
    const CallerKey key{next.demand, next.caller.site.instance, next.caller.site.box,
                        next.caller.asking};
    if (!known_callers_.insert(key).second) {
      continue;
    }
    demands_[next.demand].callers.push_back(next.caller);
    for (std::size_t i = 0; i < demands_[next.demand].exits.size(); ++i) {
      leave(next.demand, next.caller, model::NodeId(demands_[next.demand].exits[i]));
    }
    const InstanceId instance = demands_[next.demand].instance;
    for (std::size_t i = 0; i < demands_[next.demand].same_callers.size(); ++i) {
      new_callers_.push_back(
          {demand(instance, demands_[next.demand].same_callers[i]), next.caller});
    }
  }
}

void FindReason::explore(State state, SubId f) {
  if (!known(machine_.value(state, f)) && !is_visited(state, f)) {
    stack_.push_back({state, f});
  }
}

FindReason::DemandId FindReason::demand(InstanceId instance, SubId f) {
  const auto [found, is_new] =
      demand_of_.try_emplace(demand_key(instance, f), DemandId(demands_.size()));
  if (is_new) {
    assert(machine_.alive(instance));
    demands_.push_back({instance, f, {}, {}, {}});
  }
  return found->second;
}

NESTOR_INLINE std::size_t FindReason::place(State state, SubId f) const {
  const Instance& in = machine_.instance(state.instance);
  NESTOR_DEBUG_ASSERT(state.node.value() - in.first_node < in.width);
  return std::size_t{f.value()} * in.width + (state.node.value() - in.first_node);
}

NESTOR_INLINE bool FindReason::is_visited(State state, SubId f) const {
  const std::vector<std::uint64_t>& bits = visited_[state.instance];
  const std::size_t at = place(state, f);
  return !bits.empty() && ((bits[at / 64] >> (at % 64)) & 1) != 0;
}

bool FindReason::insert_visited(State state, SubId f) {
  std::vector<std::uint64_t>& bits = visited_[state.instance];
  if (bits.empty()) {
    bits.resize((machine_.instance(state.instance).values.size() + 63) / 64);
    with_visited_.push_back(state.instance);
  } else if (is_visited(state, f)) {
    return false;
  }
  const std::size_t at = place(state, f);
  bits[at / 64] |= std::uint64_t{1} << (at % 64);
  return true;
}

void FindReason::forget() {
  for (const InstanceId i : with_visited_) {
    visited_[i] = {};
  }
  with_visited_.clear();
  visited_.resize(machine_.instances().size());
  stack_.clear();
  explored_.clear();
  blocked_.clear();
  reasons_.clear();
  demands_ = {};
  demand_of_.clear();
  known_callers_.clear();
  machine_.take_newly_contextualisable();  // what the new search meets it looks at anyway
}

}  // namespace nestor::engine::strategies
