// The top-down expansion heuristic, after
//   [DWF24] C. Dubslaff, P. Wienhöft, A. Fehnker: Lazy model checking for recursive state machines.
//           Software and Systems Modeling, 2024.  Section 6.3, Algorithm 6 (GETNEXTEXPANSION) and
//           Algorithm 7 (FINDREASON).
//
//   paper      here               remark
//   (n, Φ)     Pair               n is a state of an instance
//   R          visited_           one set for the whole search, not one a path
//   D          explored_          see below
//   the call stack of FINDREASON  stack_, so depth costs no C++ stack
//
// Deviations.
// - R is local in the paper, which makes the search exponential. A pair that was visited without
//   finding a box need not be visited again on another path: what a visit explores depends only on
//   the pair. So one set is enough and the search is linear.
// - D is the set of pairs on the cycles found, and the paper resolves all of them whose subformulas
//   are determined "in all nodes". Here a search without success resolves explored pairs:
//
//   Claim. Let a search from all unknown initial nodes end without a box, refinement having nothing
//   left to do. Let S be the explored pairs and φ the smallest existential formula in S. Then at
//   the states of S_φ = {s | (s, φ) ∈ S}, φ is false if it is an EU and true if it is an EG.
//
//   Proof. A visit to (s, ψ) with ψ not existential explores an unknown operand, so it explores an
//   existential formula that is smaller than what led to ψ. Hence at a state of S_φ that is no
//   closed exit the operands of φ are known, and φ is no EX: it would need an unknown operand at
//   some successor (of some return node, if s is an exit). As φ is unknown although its operands
//   are known, φ1 is true and, for EU, φ2 false; no successor has φ; and all successors where φ is
//   unknown are explored, that is, in S_φ. An exit of S_φ whose context is unknown has all its
//   return nodes in S_φ: had one of them been known, the search would have returned that box. A
//   closed exit is the same state as the return node of the caller below it on the stack. So every
//   state of S_φ has φ1, does not have φ2, and its successors are in S_φ or do not have φ. For EU
//   that is a set which no path to φ2 can leave: φ is false. For EG, some successor is in S_φ, for
//   otherwise refinement had made φ false (a dead end with φ1 would have been true): going on
//   within S_φ forever is a path with φ1 throughout, so φ is true.
//
//   Contexts of exits in S_φ are set to the same value, as are the return nodes that they stand
//   for. Nothing else is: n5 in Example 13 stays unknown.
#include "engine/strategies/find_reason.h"

#include "base/error.h"

#include <algorithm>
#include <cassert>

namespace nestor::strategies {

std::optional<CallSite> FindReason::get_next_expansion() {
  forget_visited();
  const State root{machine_.root(), NodeId()};
  for (const NodeId en : machine_.model().initial_nodes()) {  // Alg. 6, line 2
    const State start{root.instance, en};
    if (known(machine_.value(start, table_.root()))) {
      continue;
    }
    const std::optional<CallSite> b = find_reason(start, table_.root());  // line 3
    if (b.has_value()) {
      return b;  // line 4
    }
  }
  return std::nullopt;  // line 6; D_all is explored_
}

std::optional<CallSite> FindReason::find_reason(State state, SubId f) {
  stack_.clear();
  explore(state, f);
  while (!stack_.empty()) {
    const Pair pair = stack_.back();
    stack_.pop_back();
    machine_.guard().tick();
    if (!insert_visited(pair)) {
      continue;
    }
    const std::size_t first_new = stack_.size();
    const std::optional<CallSite> b = visit(pair);
    if (b.has_value()) {
      return b;
    }
    // The pairs that visit() added are to be taken in the order it added them.
    std::reverse(stack_.begin() + static_cast<std::ptrdiff_t>(first_new), stack_.end());
  }
  return std::nullopt;  // line 35
}

std::optional<CallSite> FindReason::visit(const Pair& pair) {
  const State n = pair.state;
  const Subformula& phi = table_[pair.formula];
  if (phi.op == Op::Not || phi.op == Op::Or) {
    explore(n, phi.left);  // lines 2, 4, 5
    if (phi.op == Op::Or) {
      explore(n, phi.right);
    }
    return std::nullopt;
  }
  assert(phi.existential.valid());
  // Line 7 has no counterpart: the successor of a call is the entry (ContextMachine::target).
  const Role role = machine_.role(n.node);
  if (role == Role::ClosedExit) {
    return visit_callers(pair);  // lines 8 to 13
  }
  if (phi.op != Op::EX && role != Role::OpenReturn) {
    if (phi.op == Op::EU && !known(machine_.value(n, phi.right))) {
      explore(n, phi.right);  // line 27
      return std::nullopt;
    }
    if (!known(machine_.value(n, phi.left))) {
      explore(n, phi.left);  // lines 19, 28
      return std::nullopt;
    }
  }
  visit_successors(pair, phi.op == Op::EX ? phi.left : pair.formula);  // lines 15, 20, 29
  return role == Role::OpenExit ? visit_callers(pair) : std::nullopt;
}

// Lines 8 to 13.
std::optional<CallSite> FindReason::visit_callers(const Pair& exit) {
  const SubId f = exit.formula;
  if (known(machine_.context(exit.state, f))) {
    return std::nullopt;
  }
  if (exit.state.instance == machine_.root()) {
    assert(table_[f].op == Op::EX);
    explore(exit.state, table_[f].left);  // the self-loop: γ_0 is read from ∂
    return std::nullopt;
  }
  const std::vector<CallSite>& callers = machine_.instance(exit.state.instance).callers;
  for (const CallSite& b : callers) {
    machine_.guard().tick();
    if (known(machine_.value(machine_.return_of(b, exit.state.node), f))) {
      return b;  // line 9: base case
    }
  }
  for (const CallSite& b : callers) {
    explore(machine_.return_of(b, exit.state.node), f);  // lines 11, 12
  }
  return std::nullopt;
}

void FindReason::visit_successors(const Pair& pair, SubId wanted) {
  for (const NodeId n : machine_.model().successors(pair.state.node)) {
    explore(machine_.target(pair.state.instance, n), wanted);
  }
}

void FindReason::explore(State state, SubId f) {
  if (!known(machine_.value(state, f))) {
    stack_.push_back({state, f});
  }
}

void FindReason::resolve_cycle() {
  SubId smallest;
  for (const Pair& pair : explored_) {
    if (table_[pair.formula].existential.valid() &&
        (!smallest.valid() || pair.formula < smallest)) {
      smallest = pair.formula;
    }
  }
  NESTOR_CHECK(smallest.valid() && table_[smallest].op != Op::EX);
  const Ternary resolved = table_[smallest].op == Op::EG ? Ternary::True : Ternary::False;
  for (const Pair& pair : explored_) {  // contexts first: ContextMachine::resolve_everywhere
    if (pair.formula == smallest && machine_.model().is_exit(pair.state.node) &&
        pair.state.instance != machine_.root()) {
      machine_.resolve_context(pair.state, smallest, resolved);
    }
  }
  for (const Pair& pair : explored_) {
    if (pair.formula == smallest) {
      machine_.decide(pair.state, smallest, resolved);
    }
  }
}

bool FindReason::insert_visited(const Pair& pair) {
  visited_.resize(machine_.instances().size());
  const Instance& in = machine_.instance(pair.state.instance);
  std::vector<std::uint64_t>& bits = visited_[pair.state.instance];
  if (bits.empty()) {
    bits.resize((in.values.size() + 63) / 64);
  }
  const std::size_t place =
      std::size_t{pair.formula.value()} * in.width + (pair.state.node.value() - in.first_node);
  const std::uint64_t bit = std::uint64_t{1} << (place % 64);
  if ((bits[place / 64] & bit) != 0) {
    return false;
  }
  bits[place / 64] |= bit;
  explored_.push_back(pair);
  return true;
}

void FindReason::forget_visited() {
  for (const Pair& pair : explored_) {
    if (!machine_.alive(pair.state.instance)) {
      visited_[pair.state.instance].clear();
      continue;
    }
    const Instance& in = machine_.instance(pair.state.instance);
    const std::size_t place =
        std::size_t{pair.formula.value()} * in.width + (pair.state.node.value() - in.first_node);
    visited_[pair.state.instance][place / 64] = 0;
  }
  explored_.clear();
}

}  // namespace nestor::strategies
