#include "engine/engine.h"

#include <chrono>
#include <new>

namespace nestor {

std::string_view to_string(Verdict verdict) {
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

std::optional<Labelling> Engine::label(const Rsm&, const FormulaPool&, FormulaId, Env&) {
  return std::nullopt;
}

std::string OneByOneEngine::cannot_handle(const Task&) const {
  return {};
}

std::vector<Result> OneByOneEngine::check(const Task& task, Env& env) {
  std::vector<Result> results(task.formulas.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    Result& result = results[i];
    const auto start = std::chrono::steady_clock::now();
    try {
      LimitGuard guard(env.limits);
      result.verdict = check_formula(task.model, task.pool, task.formulas[i], env, guard, result);
    } catch (const LimitReached& limit) {
      result.verdict = Verdict::Unknown;
      result.reason = limit.reason;
      release_free_memory();
    } catch (const std::bad_alloc&) {
      result.verdict = Verdict::Unknown;
      result.reason = "out of memory";
      release_free_memory();
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    result.seconds = seconds.count();
    if (env.progress) {
      env.progress(i + 1);
    }
  }
  return results;
}

}  // namespace nestor
