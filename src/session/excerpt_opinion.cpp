#include "session/excerpt_opinion.h"

#include "engine/registry.h"
#include "model/excerpt.h"

namespace nestor::session {

namespace {

check::Decision decision(const engine::Result& result) {
  switch (result.verdict) {
    case engine::Verdict::Holds:
      return {check::Decision::Answer::Holds, {}};
    case engine::Verdict::Fails:
      return {check::Decision::Answer::Fails, {}};
    case engine::Verdict::Unknown:
      break;
  }
  return {check::Decision::Answer::Unknown, result.reason};
}

}  // namespace

std::vector<check::Decision> ExcerptOpinion::decide(const model::Rsm& /*model*/,
                                                    logic::FormulaPool& /*pool*/,
                                                    std::span<const logic::FormulaId> formulas) {
  return std::vector<check::Decision>(
      formulas.size(), {check::Decision::Answer::Unknown, "only a part of the model is there"});
}

std::optional<check::Decision> ExcerptOpinion::decide_at(const model::Rsm& model,
                                                         logic::FormulaPool& pool,
                                                         logic::FormulaId formula,
                                                         model::NodeId node) {
  engine::Env env;
  env.limits = settings_.limits;
  if (env.limits.seconds) {
    env.limits.seconds = *env.limits.seconds / 2;
  }
  const std::shared_ptr<const logic::Simplifier> here =
      simplifier_.started_at(simplifier_.given_state(given_, model::state_of(model, node)), false);
  const std::unique_ptr<engine::Engine> engine = engine::find_engine("almc").make();
  const check::Decision found = decision(engine->check_on_the_fly(
      {*here->given(), model::DeadEnds::Keep, pool, {&formula, 1}}, env)[0]);
  if (found.answer != check::Decision::Answer::Unknown) {
    return found;
  }
  const logic::SmallerQuestion smaller = here->simplify(pool, formula, env.limits);
  if (smaller.value) {
    return check::Decision{
        *smaller.value ? check::Decision::Answer::Holds : check::Decision::Answer::Fails, {}};
  }
  if (smaller.states == nullptr) {
    return found;
  }
  return decision(engine->check_on_the_fly(
      {*smaller.states, model::DeadEnds::Keep, *smaller.pool, {&smaller.formula, 1}}, env)[0]);
}

}  // namespace nestor::session
