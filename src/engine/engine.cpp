#include "engine/engine.h"

#include "base/error.h"

#include <chrono>
#include <new>

std::string_view nestor::to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::Holds:
      return "holds";
    case Verdict::Fails:
      return "fails";
    case Verdict::Unknown:
      return "unknown";
  }
  return "unknown";
}

namespace nestor::engine {

std::optional<explain::Labelling> Engine::label(const model::Rsm&, logic::FormulaPool&,
                                                logic::FormulaId, Env&) {
  return std::nullopt;
}

std::vector<std::optional<explain::Labelling>> Engine::label_together(
    const model::Rsm& model, logic::FormulaPool& pool, std::span<const logic::FormulaId> formulas,
    Env& env) {
  std::vector<std::optional<explain::Labelling>> labellings(formulas.size());
  labellings.front() = label(model, pool, formulas.front(), env);
  return labellings;
}

std::optional<explain::CheckOrder> Engine::check_order(const model::Rsm&, logic::FormulaPool&,
                                                       logic::FormulaId, Env&) {
  return std::nullopt;
}

std::optional<witness::Witness> Engine::explain(const ExplainTask&, Env&) {
  return std::nullopt;
}

bool Engine::certify(const ExplainTask&, std::string_view, Env&,
                     const std::function<void(std::string_view)>&) {
  return false;
}

std::string OneByOneEngine::cannot_handle(const Task&) const {
  return {};
}

std::vector<Result> Engine::check_on_the_fly(const StatesTask&, Env&) {
  NESTOR_CHECK(works_on_the_fly() && false);  // an engine that says so decides such tasks
  return {};
}

Verdict OneByOneEngine::check_formula_on_the_fly(model::StateSpace&, logic::FormulaPool&,
                                                 logic::FormulaId, Env&, base::LimitGuard&,
                                                 Result&) {
  NESTOR_CHECK(works_on_the_fly() && false);  // an engine that says so decides such tasks
  return Verdict::Unknown;
}

std::vector<Result> OneByOneEngine::check(const Task& task, Env& env) {
  return one_by_one(task.formulas, env,
                    [&](logic::FormulaId f, base::LimitGuard& guard, Result& result) {
                      return check_task(task, f, env, guard, result);
                    });
}

Verdict OneByOneEngine::check_task(const Task& task, logic::FormulaId formula, Env& env,
                                   base::LimitGuard& guard, Result& result) {
  return check_formula(task.model, task.pool, formula, env, guard, result);
}

std::vector<Result> OneByOneEngine::check_on_the_fly(const StatesTask& task, Env& env) {
  model::StateSpace space(task.states, task.dead_ends, env.limits);
  std::vector<Result> results = one_by_one(
      task.formulas, env, [&](logic::FormulaId f, base::LimitGuard& guard, Result& result) {
        return check_formula_on_the_fly(space, task.pool, f, env, guard, result);
      });
  if (env.statistics != nullptr) {
    env.statistics->add("explore.states", space.size());
    env.statistics->add("explore.expanded", space.expanded());
    env.statistics->add("explore.transitions", space.transition_count());
    env.statistics->add("explore.bits_per_state", task.states.state_bits());
    env.statistics->add("explore.states_bytes", space.memory_bytes());
  }
  return results;
}

Result check_one(Env& env, const std::function<Verdict(base::LimitGuard&, Result&)>& check) {
  Result result;
  const auto start = std::chrono::steady_clock::now();
  try {
    base::LimitGuard guard(env.limits);
    result.verdict = check(guard, result);
  } catch (const base::LimitReached& limit) {
    result.verdict = Verdict::Unknown;
    result.reason = limit.reason;
    base::release_free_memory();
  } catch (const std::bad_alloc&) {
    result.verdict = Verdict::Unknown;
    result.reason = "out of memory";
    base::release_free_memory();
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  result.seconds = seconds.count();
  return result;
}

template <class CheckFormula>
std::vector<Result> OneByOneEngine::one_by_one(std::span<const logic::FormulaId> formulas, Env& env,
                                               CheckFormula check_formula) {
  std::vector<Result> results(formulas.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i] = check_one(env, [&](base::LimitGuard& guard, Result& result) {
      return check_formula(formulas[i], guard, result);
    });
    if (env.progress) {
      env.progress(i + 1);
    }
  }
  return results;
}

}  // namespace nestor::engine
