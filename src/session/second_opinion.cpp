#include "session/second_opinion.h"

#include <algorithm>

namespace nestor::session {

namespace {

constexpr std::size_t kSmall = 2000;  // nodes that `reference` is asked about

/// Engines whose names begin alike are one algorithm in several ways.
std::string_view family(std::string_view id) {
  return id.substr(0, id.find('-'));
}

}  // namespace

std::vector<check::Decision> SecondOpinion::decide(const model::Rsm& model,
                                                   logic::FormulaPool& pool,
                                                   std::span<const logic::FormulaId> formulas) {
  std::vector<check::Decision> decisions(formulas.size());
  for (check::Decision& decision : decisions) {
    decision.reason = "no engine but the one that made the witness can decide it";
  }
  for (const engine::EngineInfo* engine : engines(model)) {
    ask(*engine, engine::Task{model, pool, formulas}, decisions);
  }
  return decisions;
}

std::vector<const engine::EngineInfo*> SecondOpinion::engines(const model::Rsm& model) const {
  if (!settings_.engine.empty()) {
    return {&engine::find_engine(settings_.engine)};
  }
  std::vector<const engine::EngineInfo*> found;
  if (model.node_count() <= kSmall) {
    found.push_back(&engine::find_engine("reference"));
  }
  for (const engine::EngineInfo& engine : engine::engine_registry()) {
    if (engine.id != "reference" && family(engine.id) != family(maker_)) {
      found.push_back(&engine);
    }
  }
  return found;
}

void SecondOpinion::ask(const engine::EngineInfo& info, const engine::Task& task,
                        std::vector<check::Decision>& decisions) const {
  // Only one engine knows formulas beyond CTL.
  const bool knows_paths = info.id == engine::path_engine().id;
  std::vector<logic::FormulaId> formulas;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    if (decisions[i].answer == check::Decision::Answer::Unknown &&
        (knows_paths || task.pool.is_ctl(task.formulas[i]))) {
      formulas.push_back(task.formulas[i]);
      places.push_back(i);
    }
  }
  const engine::Task asked{task.model, task.pool, formulas};
  const std::unique_ptr<engine::Engine> engine = info.make();
  if (formulas.empty() || !engine->cannot_handle(asked).empty()) {
    return;
  }
  engine::Env env;
  env.limits = settings_.limits;
  env.jobs = settings_.jobs;
  const std::vector<engine::Result> results = engine->check(asked, env);
  for (std::size_t i = 0; i < results.size(); ++i) {
    check::Decision& decision = decisions[places[i]];
    if (results[i].verdict != engine::Verdict::Unknown) {
      decision.answer = results[i].verdict == engine::Verdict::Holds
                            ? check::Decision::Answer::Holds
                            : check::Decision::Answer::Fails;
    } else {
      decision.reason = results[i].reason;
    }
  }
}

}  // namespace nestor::session
