#include "damage.h"

#include "unfolding.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace nestor::test {

namespace {

using Kind = witness::Evidence::Kind;
using Ending = witness::Evidence::Ending;

/// Whether there is a step of any kind, by the states of the unfolding.
bool follows(const model::Rsm& model, const witness::Witness& witness, model::StateId from,
             model::StateId to) {
  const auto boxes = [&](model::StackId s) {
    std::vector<model::BoxId> list;
    for (; !witness.stacks.is_empty(s); s = witness.stacks.below(s)) {
      list.insert(list.begin(), witness.stacks.top(s));
    }
    return list;
  };
  const model::State& a = witness.states[from];
  const model::State& b = witness.states[to];
  return is_successor(model, {boxes(a.stack), a.node}, {boxes(b.stack), b.node});
}

/// Evidence with a path of so many steps, at random.
witness::EvidenceId with_steps(base::Random& random, const witness::Witness& witness,
                               std::size_t least) {
  std::vector<witness::EvidenceId> found;
  for (const witness::EvidenceId e : witness.evidence.ids()) {
    if (witness.evidence[e].steps.size() >= least) {
      found.push_back(e);
    }
  }
  return found.empty() ? witness::EvidenceId() : found[random.below(found.size())];
}

template <class Wanted>
witness::EvidenceId such_that(base::Random& random, const witness::Witness& witness,
                              Wanted wanted) {
  std::vector<witness::EvidenceId> found;
  for (const witness::EvidenceId e : witness.evidence.ids()) {
    if (wanted(witness.evidence[e])) {
      found.push_back(e);
    }
  }
  return found.empty() ? witness::EvidenceId() : found[random.below(found.size())];
}

/// A path whose steps are not all steps of the model is wrong for sure.
bool is_broken(const model::Rsm& model, const witness::Witness& witness,
               const witness::Evidence& evidence) {
  for (std::size_t i = 0; i + 1 < evidence.path.size(); ++i) {
    if (!follows(model, witness, evidence.path[i], evidence.path[i + 1])) {
      return true;
    }
  }
  return false;
}

bool drop_a_step(const model::Rsm& model, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e = with_steps(random, witness, 2);
  if (!e.valid()) {
    return false;
  }
  witness::Evidence& evidence = witness.evidence[e];
  const auto at = static_cast<std::ptrdiff_t>(random.between(1, evidence.steps.size() - 1));
  evidence.path.erase(evidence.path.begin() + at);
  evidence.steps.erase(evidence.steps.begin() + at);
  return is_broken(model, witness, evidence);
}

bool drop_the_last_step(const model::Rsm&, base::Random& random, witness::Witness& witness) {
  // A loop or a way to a dead end is not finished without it. A shorter way to a goal might be.
  const witness::EvidenceId e = such_that(random, witness, [](const witness::Evidence& x) {
    return !x.steps.empty() && x.ending == Ending::DeadEnd;
  });
  if (!e.valid()) {
    return false;
  }
  witness.evidence[e].path.pop_back();
  witness.evidence[e].steps.pop_back();
  return true;
}

bool repeat_a_state(const model::Rsm& model, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e = with_steps(random, witness, 1);
  if (!e.valid()) {
    return false;
  }
  witness::Evidence& evidence = witness.evidence[e];
  const auto at = static_cast<std::ptrdiff_t>(random.below(evidence.path.size()));
  evidence.path.insert(evidence.path.begin() + at, evidence.path[static_cast<std::size_t>(at)]);
  evidence.steps.insert(evidence.steps.begin() + at, model::Step::Local);
  return is_broken(model, witness, evidence);
}

bool swap_two_states(const model::Rsm& model, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e = with_steps(random, witness, 2);
  if (!e.valid()) {
    return false;
  }
  witness::Evidence& evidence = witness.evidence[e];
  const std::size_t at = random.between(1, evidence.steps.size() - 1);
  std::swap(evidence.path[at], evidence.path[at + 1]);
  return is_broken(model, witness, evidence);
}

bool change_a_node(const model::Rsm& model, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e = with_steps(random, witness, 1);
  if (!e.valid()) {
    return false;
  }
  witness::Evidence& evidence = witness.evidence[e];
  const std::size_t at = random.between(1, evidence.steps.size());
  model::State state = witness.states[evidence.path[at]];
  const auto nodes = model.component(model.component_of(state.node)).plain_nodes();
  state.node = nodes.front() + random.below(nodes.size());
  evidence.path[at] = witness.states.push_back(state);
  return is_broken(model, witness, evidence);
}

/// The same node, under another stack that has the procedure on top.
bool change_a_stack(const model::Rsm& model, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e = with_steps(random, witness, 1);
  if (!e.valid()) {
    return false;
  }
  witness::Evidence& evidence = witness.evidence[e];
  const std::size_t at = random.between(1, evidence.steps.size());
  model::State state = witness.states[evidence.path[at]];
  const auto callers = model.callers(model.component_of(state.node));
  if (callers.empty()) {
    return false;
  }
  state.stack = witness.stacks.push(state.stack, callers[random.below(callers.size())]);
  evidence.path[at] = witness.states.push_back(state);
  return true;  // no such stack, or no step leads there: one call more than the path makes
}

bool change_a_stack_entry(const model::Rsm& model, base::Random& random,
                          witness::Witness& witness) {
  const model::StateId s(random.below(witness.states.size()));
  model::State state = witness.states[s];
  if (witness.stacks.is_empty(state.stack)) {
    return false;
  }
  // Another call in the place of the top one: of another procedure, or of the same in another way.
  const model::BoxId old = witness.stacks.top(state.stack);
  const model::BoxId other(random.below(model.box_count()));
  if (other == old || model.box(other).callee == model.box(old).callee) {
    return false;
  }
  state.stack = witness.stacks.push(witness.stacks.below(state.stack), other);
  witness.states[s] = state;
  return true;
}

bool change_a_step(const model::Rsm&, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e = with_steps(random, witness, 1);
  if (!e.valid()) {
    return false;
  }
  model::Step& step = witness.evidence[e].steps[random.below(witness.evidence[e].steps.size())];
  // A local step and a return with a call may both be possible between the same states.
  if (step == model::Step::ReturnCall) {
    step = model::Step::Return;
  } else {
    step = step == model::Step::Call ? model::Step::Return : model::Step::Call;
  }
  return true;
}

bool move_the_loop(const model::Rsm&, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e = such_that(
      random, witness, [](const witness::Evidence& x) { return x.ending == Ending::Loop; });
  if (!e.valid()) {
    return false;
  }
  witness::Evidence& evidence = witness.evidence[e];
  evidence.loop = static_cast<std::uint32_t>(random.below(evidence.path.size() + 1));
  return evidence.loop >= evidence.steps.size() ||
         witness.states[evidence.path[evidence.loop]].node !=
             witness.states[evidence.path.back()].node;
}

bool call_a_loop_a_dead_end(const model::Rsm&, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e = such_that(
      random, witness, [](const witness::Evidence& x) { return x.ending == Ending::Loop; });
  if (e.valid()) {
    witness.evidence[e].ending = Ending::DeadEnd;
  }
  return e.valid();
}

bool stop_in_the_middle(const model::Rsm&, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e =
      such_that(random, witness, [](const witness::Evidence& x) { return x.kind == Kind::Always; });
  if (e.valid()) {
    witness.evidence[e].ending = Ending::Here;
  }
  return e.valid();
}

bool turn_a_claim(const model::Rsm&, base::Random& random, witness::Witness& witness) {
  witness::Claim& claim =
      witness.evidence[witness::EvidenceId(random.below(witness.evidence.size()))].claim;
  claim.holds = !claim.holds;
  return true;
}

bool turn_the_verdict(const model::Rsm&, base::Random&, witness::Witness& witness) {
  witness.holds = !witness.holds;
  return true;
}

bool use_another_formula(const model::Rsm&, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e(random.below(witness.evidence.size()));
  for (const witness::Evidence& user : witness.evidence) {
    // The other operand of a connective might show as much.
    if (user.kind == Kind::Parts &&
        std::find(user.parts.begin(), user.parts.end(), e) != user.parts.end()) {
      return false;
    }
  }
  witness::Evidence& evidence = witness.evidence[e];
  const logic::FormulaId other(random.below(witness.formula.value() + 1));
  const bool is_other = other != evidence.claim.formula;
  evidence.claim.formula = other;
  return is_other;
}

bool use_evidence_for_another_formula(const model::Rsm&, base::Random& random,
                                      witness::Witness& witness) {
  const logic::FormulaId other(random.below(witness.formula.value() + 1));
  const bool is_other = other != witness.formula;
  witness.formula = other;
  return is_other;
}

bool drop_a_part(const model::Rsm&, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e =
      such_that(random, witness, [](const witness::Evidence& x) { return !x.parts.empty(); });
  if (e.valid()) {
    // The same operand twice: either of the two is enough.
    const std::vector<witness::EvidenceId>& parts = witness.evidence[e].parts;
    if (std::count(parts.begin(), parts.end(), parts.back()) > 1) {
      return false;
    }
    witness.evidence[e].parts.pop_back();
  }
  return e.valid();
}

bool refer_to_other_evidence(const model::Rsm&, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e =
      such_that(random, witness, [](const witness::Evidence& x) { return !x.parts.empty(); });
  if (!e.valid()) {
    return false;
  }
  std::vector<witness::EvidenceId>& parts = witness.evidence[e].parts;
  witness::EvidenceId& part = parts.back();
  if (std::count(parts.begin(), parts.end(), part) > 1) {
    return false;
  }
  const witness::EvidenceId other(random.below(witness.evidence.size() + 2));
  if (other.value() >= witness.evidence.size()) {
    part = other;
    return true;
  }
  const witness::Evidence& was = witness.evidence[part];
  const witness::Evidence& is = witness.evidence[other];
  part = other;
  return was.state != is.state;  // in the same state it might show as much
}

bool drop_evidence_along(const model::Rsm&, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e =
      such_that(random, witness, [](const witness::Evidence& x) { return !x.along.empty(); });
  if (e.valid()) {
    witness.evidence[e].along.pop_back();
  }
  return e.valid();
}

bool shift_evidence_along(const model::Rsm&, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e = such_that(random, witness, [](const witness::Evidence& x) {
    return x.along.size() > 1 && x.along.front() != x.along.back();
  });
  if (e.valid()) {
    std::swap(witness.evidence[e].along.front(), witness.evidence[e].along.back());
  }
  return e.valid();
}

bool begin_elsewhere(const model::Rsm& model, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId root = witness.roots[random.below(witness.roots.size())];
  model::State state = witness.states[witness.evidence[root].state];
  const auto nodes = model.component(model.component_of(state.node)).plain_nodes();
  state.node = nodes.front() + random.below(nodes.size());
  const auto initial = model.initial_nodes();
  if (std::find(initial.begin(), initial.end(), state.node) != initial.end()) {
    return false;
  }
  witness.evidence[root].state = witness.states.push_back(state);
  if (!witness.evidence[root].path.empty()) {
    witness.evidence[root].path.front() = witness.evidence[root].state;
  }
  return true;
}

bool drop_a_root(const model::Rsm& model, base::Random&, witness::Witness& witness) {
  const auto initial = model.initial_nodes();
  if (std::count(initial.begin(), initial.end(),
                 witness.states[witness.evidence[witness.roots.back()].state].node) > 1) {
    return false;
  }
  witness.roots.pop_back();
  return true;
}

bool claim_without_path(const model::Rsm&, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e = with_steps(random, witness, 0);
  witness::Evidence& evidence = witness.evidence[e];
  if (evidence.path.empty()) {
    return false;
  }
  evidence.kind = random.chance(0.5) ? Kind::All : Kind::Fact;
  return true;
}

bool join_itself(const model::Rsm&, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e = such_that(
      random, witness, [](const witness::Evidence& x) { return x.ending == Ending::Joins; });
  if (e.valid()) {
    witness.evidence[e].joins = e;
    witness.evidence[e].join_at = 0;
  }
  return e.valid();
}

bool join_elsewhere(const model::Rsm&, base::Random& random, witness::Witness& witness) {
  const witness::EvidenceId e = such_that(
      random, witness, [](const witness::Evidence& x) { return x.ending == Ending::Joins; });
  if (!e.valid()) {
    return false;
  }
  witness::Evidence& evidence = witness.evidence[e];
  const std::vector<model::StateId>& other = witness.evidence[evidence.joins].path;
  evidence.join_at = static_cast<std::uint32_t>(random.below(other.size() + 1));
  return evidence.join_at >= other.size() || other[evidence.join_at] != evidence.path.back();
}

constexpr std::array kDamages = {
    Damage{"drop a step", drop_a_step},
    Damage{"drop the last step", drop_the_last_step},
    Damage{"repeat a state", repeat_a_state},
    Damage{"swap two states", swap_two_states},
    Damage{"change a node", change_a_node},
    Damage{"change a stack", change_a_stack},
    Damage{"change a stack entry", change_a_stack_entry},
    Damage{"change the kind of a step", change_a_step},
    Damage{"move the beginning of a loop", move_the_loop},
    Damage{"call a loop a dead end", call_a_loop_a_dead_end},
    Damage{"stop in the middle", stop_in_the_middle},
    Damage{"turn a claim round", turn_a_claim},
    Damage{"turn the verdict round", turn_the_verdict},
    Damage{"claim another formula", use_another_formula},
    Damage{"evidence for another formula", use_evidence_for_another_formula},
    Damage{"drop a part", drop_a_part},
    Damage{"refer to other evidence", refer_to_other_evidence},
    Damage{"drop evidence along a path", drop_evidence_along},
    Damage{"shift evidence along a path", shift_evidence_along},
    Damage{"begin elsewhere", begin_elsewhere},
    Damage{"drop a root", drop_a_root},
    Damage{"claim without a path", claim_without_path},
    Damage{"join itself", join_itself},
    Damage{"join at another state", join_elsewhere},
};

}  // namespace

std::span<const Damage> damages() {
  return kDamages;
}

}  // namespace nestor::test
