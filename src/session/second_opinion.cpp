#include "session/second_opinion.h"

#include <algorithm>

namespace nestor {

namespace {

constexpr std::size_t kSmall = 2000;  // nodes that `reference` is asked about

/// Engines whose names begin alike are one algorithm in several ways.
std::string_view family(std::string_view id) {
  return id.substr(0, id.find('-'));
}

}  // namespace

std::vector<Decision> SecondOpinion::decide(const Rsm& model, FormulaPool& pool,
                                            std::span<const FormulaId> formulas) {
  std::vector<Decision> decisions(formulas.size());
  for (Decision& decision : decisions) {
    decision.reason = "no engine but the one that made the witness can decide it";
  }
  for (const EngineInfo* engine : engines(model)) {
    ask(*engine, Task{model, pool, formulas}, decisions);
  }
  return decisions;
}

std::vector<const EngineInfo*> SecondOpinion::engines(const Rsm& model) const {
  if (!settings_.engine.empty()) {
    return {&find_engine(settings_.engine)};
  }
  std::vector<const EngineInfo*> found;
  if (model.node_count() <= kSmall) {
    found.push_back(&find_engine("reference"));
  }
  for (const EngineInfo& engine : engine_registry()) {
    if (engine.id != "reference" && family(engine.id) != family(maker_)) {
      found.push_back(&engine);
    }
  }
  return found;
}

void SecondOpinion::ask(const EngineInfo& info, const Task& task,
                        std::vector<Decision>& decisions) const {
  const bool all_known = std::all_of(decisions.begin(), decisions.end(), [](const Decision& d) {
    return d.answer != Decision::Answer::Unknown;
  });
  const std::unique_ptr<Engine> engine = info.make();
  if (all_known || !engine->cannot_handle(task).empty()) {
    return;
  }
  Env env;
  env.limits = settings_.limits;
  env.jobs = settings_.jobs;
  const std::vector<Result> results = engine->check(task, env);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].verdict != Verdict::Unknown) {
      decisions[i].answer =
          results[i].verdict == Verdict::Holds ? Decision::Answer::Holds : Decision::Answer::Fails;
    } else {
      decisions[i].reason = results[i].reason;
    }
  }
}

}  // namespace nestor
