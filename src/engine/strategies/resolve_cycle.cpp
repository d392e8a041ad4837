// Resolution of global dependency cycles for the top-down heuristic, after
//   [DWF24] C. Dubslaff, P. Wienhöft, A. Fehnker: Lazy model checking for recursive state machines.
//           Software and Systems Modeling, 2024.  Section 6.3.2; LAZYCHECK', lines 6 to 14.
//
// Deviation: the paper resolves pairs on the cycles found (D) whose subformulas are determined "in
// all nodes". Here a search that finds no box resolves explored pairs.
//
// Claim. Let a search from all unknown initial nodes end without a box, refinement having nothing
// left to do. Let S be the explored pairs and φ the smallest existential formula in S. Then φ is
// false if it is an EU, true if it is an EG, at each s with (s, φ) ∈ S under each stack by which
// the question came there.
//
// Proof. Call these states with these stacks X. A visit to (s, ψ) with ψ not existential explores
// an unknown operand, and so an existential formula smaller than what led to ψ. Hence at a state
// of X that is no closed exit the operands of φ are known, and φ is no EX: it would need an
// unknown operand at some successor (of some return node, if s is an exit). As φ is unknown
// although its operands are known, φ1 is true and, for EU, φ2 false; no local successor has φ;
// and the successors where φ is unknown are explored on behalf of the same callers, so they are
// in X. An exit with unknown context returns to a caller, where the return node is in X or has
// the claimed value already: otherwise the search had found that box. (A closed exit *is* the
// return node, so nothing need be known of its operands.) For EU: every state of X has φ1, has
// not φ2, and goes on only to X or to states where φ is false. So no path from X gets to φ2, and
// φ is false. For EG: every state of X has φ1 and can go on to X or to a state with φ, else
// refinement had made φ false (a dead end with φ1 is true). Going on so for ever is a path with
// φ1; φ is true.
//
// The instances of X may also have callers that did not ask, for which the claim says nothing. So
// an instance with explored exits and such callers is split: the callers that asked get an
// instance of their own, whose context says what the claim says (resolve_cycle()). The rest stays
// as it is: n5 in Example 13 remains unknown.
#include "base/error.h"
#include "engine/strategies/find_reason.h"

#include <algorithm>
#include <cassert>

namespace nestor::strategies {

void FindReason::resolve_cycle() {
  SubId smallest;
  for (const Pair& pair : explored_) {
    if (table_[pair.formula].existential.valid() &&
        (!smallest.valid() || pair.formula < smallest)) {
      smallest = pair.formula;
    }
  }
  NESTOR_CHECK(smallest.valid() && table_[smallest].op != Op::EX);
  const Ternary resolved = resolved_value(smallest);
  split(instances_to_split(smallest), smallest);
  for (const Demand& d : demands_) {  // contexts first: ContextMachine::resolve_everywhere
    if (d.formula == smallest && !part_[d.instance].valid()) {
      for (const NodeId ex : d.exits) {
        machine_.resolve_context({d.instance, ex}, smallest, resolved);
      }
    }
  }
  for (const Pair& pair : explored_) {
    if (pair.formula != smallest) {
      continue;
    }
    const InstanceId part = part_[pair.state.instance];
    const State state{part.valid() ? part : pair.state.instance, pair.state.node};
    if (machine_.alive(state.instance) && !known(machine_.value(state, smallest))) {
      machine_.decide(state, smallest, resolved);
    }
  }
}

// The instances with explored exits that are also called by boxes that did not ask, or by such an
// instance: its calls are split as well.
std::vector<InstanceId> FindReason::instances_to_split(SubId f) {
  IdVector<InstanceId, std::vector<InstanceId>> called_by_asking(machine_.instances().size());
  IdVector<InstanceId, bool> is_split(machine_.instances().size(), false);
  std::vector<InstanceId> result;
  const auto add = [&](InstanceId i) {
    if (!is_split[i]) {
      is_split[i] = true;
      result.push_back(i);
    }
  };
  for (const Demand& d : demands_) {
    if (d.formula != f || d.exits.empty()) {
      continue;
    }
    std::unordered_set<std::uint64_t> sites;
    for (const Caller& caller : d.callers) {
      sites.insert((std::uint64_t{caller.site.instance.value()} << 32) | caller.site.box.value());
      called_by_asking[caller.site.instance].push_back(d.instance);
    }
    if (sites.size() < machine_.instance(d.instance).callers.size()) {
      add(d.instance);
    }
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    for (const InstanceId callee : called_by_asking[result[i]]) {
      add(callee);
    }
  }
  return result;
}

void FindReason::split(const std::vector<InstanceId>& originals, SubId f) {
  const Ternary resolved = resolved_value(f);
  part_.assign(machine_.instances().size(), InstanceId());
  std::vector<InstanceId> is_old;  // parts that were there already and keep their callees
  for (const InstanceId original : originals) {
    const ContextMachine::Found found =
        machine_.with_context(original, demands_[demand(original, f)].exits, f, resolved);
    part_[original] = found.instance;
    if (!found.is_new) {
      is_old.push_back(found.instance);
    }
  }
  for (const InstanceId original : originals) {
    const Demand& d = demands_[demand(original, f)];
    for (const Caller& caller : d.callers) {
      CallSite site = caller.site;
      if (part_[site.instance].valid()) {
        site.instance = part_[site.instance];
        if (std::find(is_old.begin(), is_old.end(), site.instance) != is_old.end()) {
          continue;
        }
      }
      machine_.redirect(site, part_[original]);
    }
  }
  for (const InstanceId original : originals) {
    machine_.remove_if_unreachable(original);
    machine_.remove_if_unreachable(part_[original]);
  }
}

}  // namespace nestor::strategies
