// The top-down expansion heuristic as it is printed, after
//   [DWF24] C. Dubslaff, P. Wienhöft, A. Fehnker: Lazy model checking for recursive state machines.
//           Software and Systems Modeling, 2024.  Section 6.3, Algorithm 6 (GETNEXTEXPANSION) and
//           Algorithm 7 (FINDREASON).
//
//   paper            here                  remark
//   (n, Φ)           n, f                  n is a state of an instance; a call node is the entry
//   R                requested_            what is on the way to the current call, and no more
//   b ∈ B with (b, n) ∈ N^all              the callers of the instance of n
//   D                                      not kept, see below
//
// Deviations. Only unknown values are asked for, also in line 16. A box counts in line 9 only where
// its context does not know the value yet, or contextualising it would change nothing. What is not
// determined when no box is found is resolved as for `ternary` (lazy.cpp): to resolve the pairs in
// D while some box can still be contextualised gives wrong verdicts. A search that
// takes more than kMostCalls, or nests deeper than kDeepestSearch, is given up as if it had found
// nothing.
#include "engine/strategies/find_reason_plain.h"

#include <algorithm>

namespace nestor::engine::strategies {

namespace {
constexpr std::size_t kDeepestSearch = 1000;
constexpr std::size_t kMostCalls = 2000;
}  // namespace

std::optional<CallSite> PlainFindReason::get_next_expansion() {
  calls_ = 0;
  for (const model::NodeId en : machine_.model().initial_nodes()) {  // Alg. 6, line 2
    const State n{machine_.root(), en};
    requested_.clear();
    if (is_unknown(n, table_.root())) {
      if (const std::optional<CallSite> b = find_reason(n, table_.root())) {  // line 3
        return b;                                                             // line 4
      }
    }
  }
  return std::nullopt;  // line 6
}

std::optional<CallSite> PlainFindReason::find_reason(State n, SubId f) {
  machine_.guard().tick();
  if (requested_.size() >= kDeepestSearch || ++calls_ > kMostCalls) {
    return std::nullopt;
  }
  requested_.push_back({n, f});  // Alg. 7, line 1
  std::optional<CallSite> b = find_reason_in_operands(n, f);
  if (!b && table_[f].existential.valid() && machine_.model().is_exit(n.node)) {
    b = find_reason_at_exit(n, f);  // lines 8 to 13
  }
  if (!b && table_[f].existential.valid()) {
    b = find_reason_in_successors(n, f);
  }
  requested_.pop_back();
  return b;
}

/// Lines 2 to 6, 19, 27 and 28.
std::optional<CallSite> PlainFindReason::find_reason_in_operands(State n, SubId f) {
  const Subformula& phi = table_[f];
  const bool is_boolean = phi.op == logic::Op::Not || phi.op == logic::Op::Or;
  const bool is_local = phi.op != logic::Op::EX && machine_.role(n.node) != Role::OpenReturn &&
                        machine_.role(n.node) != Role::ClosedExit;
  if (phi.op == logic::Op::EU && is_local && is_unknown(n, phi.right)) {
    return find_reason(n, phi.right);
  }
  if ((is_boolean || is_local) && is_unknown(n, phi.left)) {
    const std::optional<CallSite> b = find_reason(n, phi.left);
    if (b || phi.op != logic::Op::Or) {
      return b;
    }
  }
  if (phi.op == logic::Op::Or && is_unknown(n, phi.right)) {
    return find_reason(n, phi.right);
  }
  return std::nullopt;
}

std::optional<CallSite> PlainFindReason::find_reason_at_exit(State n, SubId f) {
  if (known(machine_.context(n, f))) {
    return std::nullopt;
  }
  if (n.instance == machine_.root()) {  // the self-loop, of EX only
    return is_unknown(n, table_[f].left) ? find_reason(n, table_[f].left) : std::nullopt;
  }
  const std::vector<CallSite> callers = machine_.instance(n.instance).callers;
  for (const CallSite& b : callers) {
    if (!is_unknown(machine_.return_of(b, n.node), f)) {
      return b;  // line 9
    }
  }
  for (const CallSite& b : callers) {  // line 11
    const State after = machine_.return_of(b, n.node);
    if (std::ranges::count(requested_, Pair{after, f}) > 0) {
      continue;
    }
    if (const std::optional<CallSite> found = find_reason(after, f)) {
      return found;
    }
  }
  return std::nullopt;
}

/// Lines 14 to 17, 20 to 25 and 29 to 34.
std::optional<CallSite> PlainFindReason::find_reason_in_successors(State n, SubId f) {
  const SubId wanted = table_[f].op == logic::Op::EX ? table_[f].left : f;
  for (const model::NodeId to : machine_.model().successors(n.node)) {
    const State next = machine_.target(n.instance, to);
    if (!is_unknown(next, wanted) || std::ranges::count(requested_, Pair{next, wanted}) > 0) {
      continue;
    }
    if (const std::optional<CallSite> b = find_reason(next, wanted)) {
      return b;
    }
  }
  return std::nullopt;
}

}  // namespace nestor::engine::strategies
