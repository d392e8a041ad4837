#include "session/evidence_on_the_fly.h"

#include "base/error.h"
#include "engine/finite/local_path.h"
#include "logic/normal_form.h"
#include "model/excerpt.h"
#include "session/atoms.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace nestor::session {

namespace {

using Ending = witness::Evidence::Ending;
using Kind = witness::Evidence::Kind;
using Needed = explain::Obligation::Kind;

constexpr std::size_t kMostEvidence = 100'000;

}  // namespace

EvidenceOnTheFly::EvidenceOnTheFly(const logic::Simplifier& simplifier, logic::FormulaPool& pool,
                                   const base::Limits& limits)
    : simplifier_(simplifier), pool_(pool), limits_(limits), start_(limits.now()) {}

/// Of the time, what is left.
base::Limits EvidenceOnTheFly::limits_left() const {
  base::Limits limits = limits_;
  if (limits.seconds) {
    const std::chrono::duration<double> used = limits_.now() - start_;
    *limits.seconds -= used.count();
    if (*limits.seconds <= 0) {
      throw base::LimitReached{fmt::format("timeout after {} s", *limits_.seconds)};
    }
  }
  return limits;
}

model::StateId EvidenceOnTheFly::intern(const logic::GivenState& state) {
  const auto [place, is_new] = numbers_.try_emplace(state, model::StateId(states_.size()));
  if (is_new) {
    states_.push_back(state);
  }
  return place->second;
}

witness::EvidenceId EvidenceOnTheFly::demand(witness::Claim claim, model::StateId state) {
  const std::uint64_t key = std::uint64_t{claim.formula.value()} * 2 + (claim.holds ? 1 : 0);
  const auto [place, is_new] =
      demanded_.try_emplace({key, state}, witness::EvidenceId(witness_.evidence.size()));
  if (is_new) {
    if (witness_.evidence.size() >= kMostEvidence) {
      throw base::LimitReached{"the evidence is too long to be written down"};
    }
    witness::Evidence evidence;
    evidence.claim = claim;
    evidence.state = state;
    witness_.evidence.push_back(std::move(evidence));
  }
  return place->second;
}

/// The value of a formula whose form decides it.
std::optional<bool> EvidenceOnTheFly::constant(logic::FormulaId formula) {
  const logic::FormulaId normal = logic::existential_normal_form(pool_, formula);
  const logic::FormulaId always = pool_.constant(true);
  if (normal == always) {
    return true;
  }
  return normal == pool_.unary(logic::Op::Not, always) ? std::optional(false) : std::nullopt;
}

bool EvidenceOnTheFly::is_true(witness::Claim claim, model::StateId state) {
  const base::Limits limits = limits_left();
  const std::shared_ptr<const logic::Simplifier> here =
      simplifier_.started_at(states_[state.value()], false);
  const logic::SmallerQuestion question = here->simplify(pool_, claim.formula, limits);
  if (question.value) {
    return *question.value == claim.holds;
  }
  if (question.states == nullptr) {
    throw base::LimitReached{"a part of the formula is too large to be decided"};
  }
  base::LimitGuard guard(limits);
  model::StateSpace space(*question.states, model::DeadEnds::Keep, limits);
  return engine::finite::find_path(space, *question.pool, question.formula, guard).holds ==
         claim.holds;
}

bool EvidenceOnTheFly::are_true(const std::vector<witness::Claim>& claims, model::StateId state) {
  return std::ranges::all_of(claims, [&](const witness::Claim& c) { return is_true(c, state); });
}

EvidenceOnTheFly::Shown EvidenceOnTheFly::show(logic::FormulaId formula, bool holds) {
  witness_.roots = {demand({formula, holds}, intern(*simplifier_.initial()))};
  for (std::size_t next = 0; next < witness_.evidence.size(); ++next) {
    fill(witness::EvidenceId(next));
  }
  return take(formula, holds);
}

void EvidenceOnTheFly::fill(witness::EvidenceId id) {
  // Demands make the list grow, so the evidence is built aside.
  witness::Evidence evidence = witness_.evidence[id];
  const witness::Claim claim = evidence.claim;
  const explain::Obligation needed =
      explain::obligation(pool_, claim, pool_.is_propositional(claim.formula));
  if (needed.kind == Needed::Fact) {
    evidence.kind = Kind::Fact;
  } else if (constant(claim.formula)) {
    evidence.kind = Kind::Form;
  } else if (needed.kind == Needed::All) {
    evidence.kind = Kind::All;
  } else if (needed.kind == Needed::Parts) {
    fill_parts(evidence, needed);
  } else {
    fill_path(evidence, needed);
    if (evidence.path.empty()) {
      if (id == witness_.roots.front()) {
        throw base::LimitReached{how_};
      }
      evidence.kind = Kind::Decided;
    }
  }
  witness_.evidence[id] = std::move(evidence);
}

/// One of the alternatives is true: the last one need not be asked about.
void EvidenceOnTheFly::fill_parts(witness::Evidence& evidence, const explain::Obligation& needed) {
  evidence.kind = Kind::Parts;
  std::vector<std::vector<witness::Claim>> alternatives = needed.alternatives;
  std::stable_partition(
      alternatives.begin(), alternatives.end(), [&](const std::vector<witness::Claim>& claims) {
        return std::ranges::all_of(
            claims, [&](const witness::Claim& c) { return pool_.is_propositional(c.formula); });
      });
  std::size_t chosen = 0;
  while (chosen + 1 < alternatives.size() && !are_true(alternatives[chosen], evidence.state)) {
    ++chosen;
  }
  for (const witness::Claim& c : alternatives[chosen]) {
    evidence.parts.push_back(demand(c, evidence.state));
  }
}

void EvidenceOnTheFly::fill_path(witness::Evidence& evidence, const explain::Obligation& needed) {
  // The formula may have been rewritten to one that another kind of path shows.
  const auto fits = [&](const Path& found) {
    return found.ending == Ending::Here
               ? needed.kind != Needed::Always
               : needed.kind != Needed::Until && needed.kind != Needed::Next;
  };
  std::optional<Path> path = find_path(evidence.claim, evidence.state, false);
  if (path && !fits(*path)) {
    path.reset();
    how_ = "the verdict was found by a path for another formula that says the same";
  }
  if (!path && needed.kind != Needed::Always && needed.kind != Needed::Next &&
      are_true(needed.end, evidence.state)) {
    path = Path{{states_[evidence.state.value()]}, Ending::Here, 0};
  }
  if (!path) {
    const std::string how = how_;
    path = find_path(evidence.claim, evidence.state, true);
    how_ = how;
  }
  if (!path || !fits(*path)) {
    return;
  }
  const bool ends = path->ending == Ending::Here;
  evidence.ending = path->ending;
  evidence.loop = static_cast<std::uint32_t>(path->loop);
  evidence.kind = needed.kind == Needed::Next ? Kind::Next : ends ? Kind::Until : Kind::Always;
  // The smaller question may have been another one: its goal comes last, not first.
  const bool looks_at_all =
      evidence.kind == Kind::Until && !std::ranges::all_of(needed.end, [&](const auto& claim) {
        return pool_.is_propositional(claim.formula);
      });
  for (const logic::GivenState& state : path->states) {
    evidence.path.push_back(intern(state));
    if (looks_at_all && are_true(needed.end, evidence.path.back())) {
      break;
    }
  }
  evidence.steps.assign(evidence.path.size() - 1, model::Step::Local);
  if (needed.along.formula.valid() && !pool_.is_propositional(needed.along.formula)) {
    for (std::size_t i = 0; i < witness::along_count(evidence); ++i) {
      evidence.along.push_back(demand(needed.along, evidence.path[i]));
    }
  }
  if (ends) {
    for (const witness::Claim& c : needed.end) {
      evidence.parts.push_back(demand(c, evidence.path.back()));
    }
  }
}

std::optional<EvidenceOnTheFly::Path> EvidenceOnTheFly::find_path(witness::Claim claim,
                                                                  model::StateId at, bool plainly) {
  const base::Limits limits = limits_left();
  const std::shared_ptr<const logic::Simplifier> here =
      simplifier_.started_at(states_[at.value()], plainly);
  const logic::SmallerQuestion question = here->simplify(pool_, claim.formula, limits);
  if (question.value || question.way_back == nullptr) {
    how_ = fmt::format("the verdict was found without a path: {}",
                       question.value ? question.how : "the formula is too large");
    return std::nullopt;
  }
  base::LimitGuard guard(limits);
  model::StateSpace space(*question.states, model::DeadEnds::Keep, limits);
  const engine::finite::FoundValue found =
      engine::finite::find_path(space, *question.pool, question.formula, guard);
  NESTOR_CHECK(found.holds == claim.holds);
  if (found.ending == engine::finite::FoundValue::Ending::None) {
    how_ = "the verdict was found without a path: on the fly, by all paths";
    return std::nullopt;
  }
  std::vector<std::vector<std::uint32_t>> smaller;
  for (const model::NodeId n : found.path) {
    const base::TakenState state = space.state(n);
    smaller.emplace_back(state.begin(), state.end());
  }
  const bool is_loop = found.ending == engine::finite::FoundValue::Ending::Loop;
  const bool is_dead = found.ending == engine::finite::FoundValue::Ending::DeadEnd;
  logic::WayBack::Path given = question.way_back->given_path(smaller, is_dead, guard);
  Path path{std::move(given.states),
            is_loop   ? Ending::Loop
            : is_dead ? Ending::DeadEnd
                      : Ending::Here,
            is_loop ? given.places[found.loop] : 0};
  if (is_loop && path.states[path.loop] != path.states.back()) {
    how_ = "the path goes round for ever and never comes to the same state again";
    return std::nullopt;
  }
  return path;
}

/// The machine, and its nodes for the states.
EvidenceOnTheFly::Shown EvidenceOnTheFly::take(logic::FormulaId formula, bool holds) {
  std::vector<std::string> names;
  for (const logic::GivenState& state : states_) {
    names.push_back(simplifier_.describe(state));
  }
  const std::unordered_set<std::string_view> wanted(names.begin(), names.end());
  Shown shown;
  shown.machine = std::make_shared<const model::Rsm>(model::make_excerpt(
      simplifier_.given(), [&](std::string_view name) { return wanted.contains(name); },
      atoms_of(pool_, formula), limits_left()));
  std::unordered_map<std::string, model::NodeId> nodes;
  for (std::size_t n = 0; n < shown.machine->node_count(); ++n) {
    nodes.emplace(shown.machine->made_names()->fresh(model::NodeId(n)), n);
  }
  for (const std::string& name : names) {
    NESTOR_CHECK(nodes.contains(name));
    witness_.states.push_back({model::StackTable::kEmpty, nodes.at(name)});
  }
  witness_.formula = formula;
  witness_.holds = holds;
  witness_.engine = "local";
  shown.witness = std::move(witness_);
  return shown;
}

}  // namespace nestor::session
