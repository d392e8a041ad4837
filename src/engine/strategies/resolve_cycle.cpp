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
// The instances of X may also have callers that did not ask, for which the claim says nothing.
// There are two ways out. If the callers that did not ask give no other answer, they are taken into
// X (widen()), and the claim holds for all stacks: no context is needed. Else an instance of X with
// explored exits and such callers is split: the callers that asked get an instance of their own,
// whose context says what the claim says. The rest stays as it is: n5 in Example 13 remains
// unknown.
#include "base/error.h"
#include "engine/strategies/find_reason.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::strategies {

void FindReason::resolve_cycle() {
  SubId smallest;
  for (const Pair& pair : explored_) {
    if (table_[pair.formula].existential.valid() &&
        (!smallest.valid() || pair.formula < smallest)) {
      smallest = pair.formula;
    }
  }
  NESTOR_CHECK(smallest.valid() && table_[smallest].op != logic::Op::EX);
  part_.assign(machine_.instances().size(), InstanceId());
  if (!widen(smallest)) {
    split(instances_to_split(smallest), smallest);
  }
  decide_explored(smallest);
}

// Adds to the explored pairs of `f` what all callers lead to; false if one of them gives the other
// answer, or depends on an unknown operand. Then nothing is added.
bool FindReason::widen(SubId f) {
  const std::size_t explored = explored_.size();
  const auto add = [this, f](State s) {
    if (!known(machine_.value(s, f)) && insert_visited(s, f)) {
      explored_.push_back({s, f});
    }
  };
  for (std::size_t i = 0; i < explored_.size(); ++i) {
    machine_.guard().tick();
    const State s = explored_[i].state;
    if (explored_[i].formula != f) {
      continue;
    }
    bool agrees = true;
    const Role role = machine_.role(s.node);
    if (machine_.model().is_exit(s.node) && !known(machine_.context(s, f))) {
      for (const CallSite& site : machine_.instance(s.instance).callers) {
        const State after = machine_.return_of(site, s.node);
        agrees = agrees && !is_reason(f, machine_.value(after, f));
        add(after);
      }
    }
    if (role != Role::ClosedExit) {
      agrees = agrees && (role == Role::OpenReturn || operands_known(s, f));
      for (const model::NodeId n : machine_.model().successors(s.node)) {
        add(machine_.target(s.instance, n));
      }
    }
    if (!agrees) {
      explored_.resize(explored);
      return false;
    }
  }
  return true;
}

bool FindReason::operands_known(State s, SubId f) const {
  const Subformula& sub = table_[f];
  return known(machine_.value(s, sub.left)) &&
         (!sub.right.valid() || known(machine_.value(s, sub.right)));
}

void FindReason::decide_explored(SubId f) {
  const auto decided_state = [this](State s) {
    const InstanceId part = part_[s.instance];
    return State{part.valid() ? part : s.instance, s.node};
  };
  for (const Pair& pair : explored_) {  // contexts first: ContextMachine::resolve_everywhere
    const State s = decided_state(pair.state);
    if (pair.formula == f && machine_.model().is_exit(s.node) && s.instance != machine_.root() &&
        machine_.alive(s.instance)) {
      machine_.resolve_context(s, f, resolved_value(f));
    }
  }
  for (const Pair& pair : explored_) {
    const State s = decided_state(pair.state);
    assert(!table_[pair.formula].existential.valid() || pair.formula >= f);  // the smallest first
    if (pair.formula == f && machine_.alive(s.instance) && !known(machine_.value(s, f))) {
      machine_.decide(s, f, resolved_value(f));
    }
  }
}

// The instances with explored exits that are also called by boxes that did not ask, or by such an
// instance: its calls are split as well.
std::vector<InstanceId> FindReason::instances_to_split(SubId f) {
  base::IdVector<InstanceId, std::vector<InstanceId>> called_by_asking(machine_.instances().size());
  base::IdVector<InstanceId, bool> is_split(machine_.instances().size(), false);
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
  std::vector<InstanceId> old_parts;  // were there already and keep their callees
  for (const InstanceId original : originals) {
    const ContextMachine::Found found =
        machine_.with_context(original, demands_[demand(original, f)].exits, f, resolved);
    part_[original] = found.instance;
    assert(machine_.instance(found.instance).base == machine_.instance(original).base);
    if (!found.is_new) {
      old_parts.push_back(found.instance);
    }
  }
  std::sort(old_parts.begin(), old_parts.end());
  for (const InstanceId original : originals) {
    const Demand& d = demands_[demand(original, f)];
    for (const Caller& caller : d.callers) {
      CallSite site = caller.site;
      if (part_[site.instance].valid()) {
        site.instance = part_[site.instance];
        if (std::binary_search(old_parts.begin(), old_parts.end(), site.instance)) {
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

}  // namespace nestor::engine::strategies
