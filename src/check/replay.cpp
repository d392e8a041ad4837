#include "check/replay.h"

#include "check/fair_values.h"
#include "check/labels.h"
#include "check/path_rules.h"
#include "check/path_value.h"
#include "check/recheck.h"
#include "check/runs.h"
#include "check/steps.h"
#include "logic/normal_form.h"
#include "logic/path_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace nestor::check {

namespace {

using Kind = witness::Evidence::Kind;
using Ending = witness::Evidence::Ending;

class Replayer {
 public:
  Replayer(const model::Rsm& model, logic::FormulaPool& pool, const witness::Witness& witness,
           const model::Fairness* fairness)
      : model_(model),
        pool_(pool),
        witness_(witness),
        labels_(model, pool),
        recheck_(model, witness.stacks),
        runs_(model, witness, fair_) {
    if (fairness != nullptr && fairness->constraints > 0) {
      fair_.emplace(model, pool, *fairness);
    }
  }

  void check_all(logic::FormulaId formula) {
    if (const std::string fault = state_fault(model_, witness_); !fault.empty()) {
      throw Fault{fault};
    }
    if (witness_.fairness != (fair_ ? fair_->constraints() : 0)) {
      throw Fault{fmt::format("the evidence is for {} fairness constraints, the model has {}",
                              witness_.fairness, fair_ ? fair_->constraints() : 0)};
    }
    if (witness_.formula != formula) {
      throw Fault{"the evidence is for another formula"};
    }
    check_roots();
    for (const witness::EvidenceId e : witness_.evidence.ids()) {
      check_references(e);
    }
    for (const witness::EvidenceId e : witness_.evidence.ids()) {
      check(e);
    }
  }

  const Recheck& recheck() const { return recheck_; }

 private:
  void check_roots() const {
    const auto initial = model_.initial_nodes();
    std::vector<model::NodeId> shown;
    for (const witness::EvidenceId root : witness_.roots) {
      if (root.value() >= witness_.evidence.size()) {
        throw Fault{fmt::format("root {}: no such evidence", root.value())};
      }
      const witness::Evidence& evidence = witness_.evidence[root];
      if (evidence.state.value() >= witness_.states.size()) {
        reject(root, "no such state");
      }
      const model::State& state = witness_.states[evidence.state];
      if (evidence.claim != witness::Claim{witness_.formula, witness_.holds}) {
        reject(root, "a root that is no evidence for the verdict");
      }
      if (!witness_.stacks.is_empty(state.stack) ||
          std::find(initial.begin(), initial.end(), state.node) == initial.end()) {
        reject(root, "does not begin in an initial state");
      }
      if (fair_ && !fair_->is_fair(state.node)) {
        reject(root, "no fair path leads from the initial state, so it does not count");
      }
      shown.push_back(state.node);
    }
    if (shown.empty()) {
      throw Fault{"there is no evidence for the verdict"};
    }
    for (const model::NodeId n : initial) {
      if (fair_ && !fair_->is_fair(n)) {
        continue;
      }
      if (witness_.holds && std::find(shown.begin(), shown.end(), n) == shown.end()) {
        throw Fault{
            fmt::format("there is no evidence for the initial state {}", model_.describe(n))};
      }
    }
  }

  /// Everything that is referred to exists.
  void check_references(witness::EvidenceId e) const {
    const witness::Evidence& evidence = witness_.evidence[e];
    const auto is_state = [&](model::StateId s) { return s.value() < witness_.states.size(); };
    const auto is_evidence = [&](witness::EvidenceId r) {
      return r.value() < witness_.evidence.size();
    };
    if (!is_state(evidence.state) ||
        !std::all_of(evidence.path.begin(), evidence.path.end(), is_state)) {
      reject(e, "no such state");
    }
    if (!std::all_of(evidence.parts.begin(), evidence.parts.end(), is_evidence) ||
        !std::all_of(evidence.along.begin(), evidence.along.end(), is_evidence) ||
        (evidence.ending == Ending::Joins && !is_evidence(evidence.joins))) {
      reject(e, "refers to evidence that is not there");
    }
    if (evidence.claim.formula.value() >= pool_.size()) {
      reject(e, "no such formula");
    }
    const bool has_path = witness::has_path(evidence.kind);
    if (has_path && (evidence.path.empty() || evidence.path.front() != evidence.state)) {
      reject(e, "the path does not begin in its state");
    }
    if (evidence.steps.size() + (has_path ? 1 : 0) != evidence.path.size()) {
      reject(e, "the numbers of states and steps do not match");
    }
  }

  void check(witness::EvidenceId e) {
    const witness::Evidence& evidence = witness_.evidence[e];
    const witness::Claim claim = evidence.claim;
    const logic::Op op = pool_[claim.formula].op;
    const model::NodeId node = state(evidence.state).node;
    switch (evidence.kind) {
      case Kind::Fact:
        if (!labels_.is_propositional(claim.formula)) {
          reject(e, "labels cannot show a temporal formula");
        }
        if (labels_.value(claim.formula, node) != claim.holds) {
          reject(e, fmt::format("the labels of {} say otherwise", model_.describe(node)));
        }
        return;
      case Kind::Form: {
        const logic::FormulaId normal = logic::existential_normal_form(pool_, claim.formula);
        const logic::FormulaId always = pool_.constant(true);
        if (normal != (claim.holds ? always : pool_.unary(logic::Op::Not, always))) {
          reject(e, "the form of the formula does not decide it");
        }
        return;
      }
      case Kind::Parts:
        check_parts(e);
        return;
      case Kind::Next:
      case Kind::Until:
      case Kind::Always:
        check_path(e);
        return;
      case Kind::Path:
        check_whole_path(e);
        return;
      case Kind::All:
        // What is temporal and has no rule for a path is about all paths.
        if (!logic::is_quantified(op) || path_rule(op, claim.holds) ||
            (claim.holds ? op == logic::Op::E : op == logic::Op::A)) {
          reject(e, "not a claim about all paths");
        }
        decide(e);
        return;
      case Kind::Decided:
        if (!logic::is_quantified(op)) {
          reject(e, "not a claim about paths");
        }
        decide(e);
        return;
    }
    reject(e, "unknown kind");
  }

  /// Nothing is shown: somebody else has to say.
  void decide(witness::EvidenceId e) {
    const witness::Evidence& evidence = witness_.evidence[e];
    const witness::Claim claim = evidence.claim;
    if (!fair_ || !pool_.is_ctl(claim.formula)) {
      recheck_.add(claim, state(evidence.state), fmt::format("evidence {}", e.value()));
    } else if (fair_->holds(claim.formula, state(evidence.state).node) != claim.holds) {
      reject(e, "the claim about all fair paths is wrong");
    }
  }

  const model::State& state(model::StateId s) const { return witness_.states[s]; }

  /// The connective's value by what the parts say of the operands, as far as that is known.
  void check_parts(witness::EvidenceId e) const {
    const witness::Evidence& evidence = witness_.evidence[e];
    const logic::Formula& formula = pool_[evidence.claim.formula];
    std::optional<bool> left;
    std::optional<bool> right;
    for (const witness::EvidenceId p : evidence.parts) {
      const witness::Evidence& part = witness_.evidence[p];
      if (part.state != evidence.state) {
        reject(e, fmt::format("evidence {} is for another state", p.value()));
      }
      const bool is_left =
          logic::operand_count(formula.op) >= 1 && part.claim.formula == formula.left;
      const bool is_right =
          logic::operand_count(formula.op) == 2 && part.claim.formula == formula.right;
      if (!is_left && !is_right) {
        reject(e, fmt::format("evidence {} is for another formula", p.value()));
      }
      if (is_left) {
        left = part.claim.holds;
      }
      if (is_right) {
        right = part.claim.holds;
      }
    }
    std::optional<bool> value;
    const bool both = left && right;
    switch (formula.op) {
      case logic::Op::Not:
        value = left ? std::optional(!*left) : std::nullopt;
        break;
      case logic::Op::And:
        value = left == false || right == false ? std::optional(false)
                : both                          ? std::optional(true)
                                                : std::nullopt;
        break;
      case logic::Op::Or:
        value = left == true || right == true ? std::optional(true)
                : both                        ? std::optional(false)
                                              : std::nullopt;
        break;
      case logic::Op::Implies:
        value = left == false || right == true ? std::optional(true)
                : both                         ? std::optional(false)
                                               : std::nullopt;
        break;
      case logic::Op::Iff:
        value = both ? std::optional(*left == *right) : std::nullopt;
        break;
      case logic::Op::Xor:
        value = both ? std::optional(*left != *right) : std::nullopt;
        break;
      default:
        reject(e, "not a connective");
    }
    if (value != evidence.claim.holds) {
      reject(e, "the parts do not decide the formula");
    }
  }

  void check_path(witness::EvidenceId e) {
    const witness::Evidence& evidence = witness_.evidence[e];
    const std::optional<PathRule> rule =
        path_rule(pool_[evidence.claim.formula].op, evidence.claim.holds);
    const bool fits = rule && (evidence.kind == Kind::Next    ? rule->next
                               : evidence.kind == Kind::Until ? rule->until
                                                              : rule->always);
    if (!fits) {
      reject(e, "no such path can show the formula");
    }
    runs_.check_steps(e);
    if (evidence.kind == Kind::Next && evidence.path.size() != 2) {
      reject(e, "one step is needed");
    }
    switch (evidence.ending) {
      case Ending::Here:
        if (evidence.kind == Kind::Always) {
          reject(e, "the path does not go on for ever");
        }
        if (fair_ && !fair_->is_fair(state(evidence.path.back()).node)) {
          reject_at(e, evidence.steps.size(), "no fair path goes on from there");
        }
        check_end(e, rule->end);
        break;
      case Ending::DeadEnd:
        if (evidence.kind != Kind::Always) {
          reject_at(e, evidence.steps.size(), "is no dead end");
        }
        runs_.check_maximal(e);
        break;
      case Ending::Loop:
        if (evidence.kind != Kind::Always) {
          reject(e, "a loop does not reach anything");
        }
        runs_.check_maximal(e);
        break;
      case Ending::Joins:
        if (evidence.kind == Kind::Next) {
          reject(e, "one step is needed");
        }
        check_join(e);
        break;
    }
    if (evidence.kind != Kind::Next) {
      check_along(e, rule->along);
    }
  }

  /// A run of which the path formula is true, for `E`, or false, for `A`.
  void check_whole_path(witness::EvidenceId e) {
    const witness::Evidence& evidence = witness_.evidence[e];
    const witness::Claim claim = evidence.claim;
    if (!logic::is_quantified(pool_[claim.formula].op)) {
      reject(e, "not a claim about paths");
    }
    const logic::Quantified asked = logic::quantified_path(pool_, claim.formula);
    if (asked.universal == claim.holds) {
      reject(e, "no such path can show the formula");
    }
    runs_.check_steps(e);
    runs_.check_maximal(e);
    // What is said of the quantified formulas inside, by formula and place.
    std::map<std::pair<logic::FormulaId, std::size_t>, bool> inside;
    const std::size_t count = witness::along_count(evidence);
    const std::vector<logic::FormulaId> letters = logic::quantified_below(pool_, claim.formula);
    if (evidence.along.size() != count * letters.size()) {
      reject(e, "evidence along the path is missing");
    }
    for (std::size_t i = 0; i < evidence.along.size(); ++i) {
      const std::size_t place = i / letters.size();
      const witness::Evidence& part = witness_.evidence[evidence.along[i]];
      if (part.claim.formula != letters[i % letters.size()] || part.state != evidence.path[place]) {
        reject_at(e, place,
                  fmt::format("evidence {} is for another claim", evidence.along[i].value()));
      }
      inside[{part.claim.formula, place}] = part.claim.holds;
      if (evidence.ending == Ending::Loop && place >= evidence.loop) {
        repeat(e, part.claim, place);
      }
    }
    Places places{count, {}};
    if (evidence.ending == Ending::Loop) {
      places.loop = evidence.loop;
    }
    const std::optional<bool> value =
        path_value(pool_, asked.path, places, [&](logic::FormulaId f, std::size_t place) {
          const auto found = inside.find({f, place});
          return found != inside.end() ? found->second
                                       : labels_.value(f, state(evidence.path[place]).node);
        });
    if (value != claim.holds) {
      reject(e, "the path does not decide the formula");
    }
  }

  void check_end(witness::EvidenceId e, PathRule::Side sides) const {
    const witness::Evidence& evidence = witness_.evidence[e];
    const logic::Formula& formula = pool_[evidence.claim.formula];
    const auto check_side = [&](logic::FormulaId operand) {
      for (const witness::EvidenceId p : evidence.parts) {
        const witness::Evidence& part = witness_.evidence[p];
        if (part.claim == witness::Claim{operand, evidence.claim.holds} &&
            part.state == evidence.path.back()) {
          return;
        }
      }
      reject_at(e, evidence.steps.size(), "nothing shows the operand in the last state");
    };
    if ((sides & PathRule::kLeft) != 0) {
      check_side(formula.left);
    }
    if ((sides & PathRule::kRight) != 0) {
      check_side(formula.right);
    }
  }

  void check_join(witness::EvidenceId e) const {
    const witness::Evidence& evidence = witness_.evidence[e];
    const witness::Evidence& other = witness_.evidence[evidence.joins];
    // Earlier, so that no two join each other.
    if (evidence.joins >= e || other.claim != evidence.claim) {
      reject(e, fmt::format("cannot go on as evidence {} does", evidence.joins.value()));
    }
    if (evidence.join_at >= other.path.size() ||
        other.path[evidence.join_at] != evidence.path.back()) {
      reject_at(e, evidence.steps.size(),
                fmt::format("is not where evidence {} is", evidence.joins.value()));
    }
  }

  void check_along(witness::EvidenceId e, PathRule::Side side) {
    const witness::Evidence& evidence = witness_.evidence[e];
    const logic::Formula& formula = pool_[evidence.claim.formula];
    if (side == PathRule::kNone) {
      return;
    }
    const witness::Claim claim{side == PathRule::kLeft ? formula.left : formula.right,
                               evidence.claim.holds};
    const std::size_t count = evidence.path.size() - (evidence.ending == Ending::DeadEnd ? 0 : 1);
    if (labels_.is_propositional(claim.formula)) {
      for (std::size_t i = 0; i < count; ++i) {
        const model::NodeId node = state(evidence.path[i]).node;
        if (labels_.value(claim.formula, node) != claim.holds) {
          reject_at(e, i, fmt::format("the labels of {} do not fit", model_.describe(node)));
        }
      }
      return;
    }
    if (evidence.along.size() != count) {
      reject(e, "evidence along the path is missing");
    }
    for (std::size_t i = 0; i < count; ++i) {
      const witness::Evidence& part = witness_.evidence[evidence.along[i]];
      if (part.claim != claim || part.state != evidence.path[i]) {
        reject_at(e, i, fmt::format("evidence {} is for another claim", evidence.along[i].value()));
      }
    }
    if (evidence.ending == Ending::Loop) {
      repeat_along(e, claim);
    }
  }

  void repeat_along(witness::EvidenceId e, witness::Claim claim) {
    const witness::Evidence& evidence = witness_.evidence[e];
    for (std::size_t i = evidence.loop; i + 1 < evidence.path.size(); ++i) {
      repeat(e, claim, i);
    }
  }

  /// Where the stack grows, a temporal formula has to be worth the same in later rounds.
  void repeat(witness::EvidenceId e, witness::Claim claim, std::size_t place) {
    const witness::Evidence& evidence = witness_.evidence[e];
    const model::StackId base = state(evidence.path[evidence.loop]).stack;
    const model::StackId grown = state(evidence.path.back()).stack;
    if (base != grown) {
      recheck_.add_repeated(claim, state(evidence.path[place]), base, grown, place_in(e, place));
    }
  }

  const model::Rsm& model_;
  logic::FormulaPool& pool_;
  const witness::Witness& witness_;
  Labels labels_;
  Recheck recheck_;
  std::optional<FairValues> fair_;
  Runs runs_;
};

}  // namespace

Replay replay(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
              const witness::Witness& witness, Decider* decider, const model::Fairness* fairness) {
  try {
    Replayer replayer(model, pool, witness, fairness);
    replayer.check_all(formula);
    if (replayer.recheck().empty()) {
      return {};
    }
    if (decider == nullptr) {
      return {Replay::Outcome::Unknown, "claims about all paths are not decided"};
    }
    return replayer.recheck().decide(pool, *decider);
  } catch (const Fault& fault) {
    return {Replay::Outcome::Rejected, fault.what};
  }
}

}  // namespace nestor::check
