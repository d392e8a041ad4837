// Engines on machines that are there already: the same engine answers after a strike.

#include "engine/registry.h"
#include "logic/normal_form.h"
#include "logic/printer.h"
#include "pair.h"
#include "strike.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::test {

namespace {

constexpr std::size_t kFormulas = 3;
constexpr std::size_t kSamples = 6;
constexpr unsigned kThreads = 3;

/// Of the formula in place i; empty if it is right, or unknown where it may be.
std::string fault_of(const engine::Result& result, engine::Verdict right, bool may_be_unknown) {
  const bool fits =
      result.verdict == right || (may_be_unknown && result.verdict == engine::Verdict::Unknown);
  return fits ? std::string()
              : fmt::format("says {} {}, expected {}", engine::to_string(result.verdict),
                            result.reason, engine::to_string(right));
}

bool strike(engine::Engine& engine, const engine::Task& task,
            const std::vector<engine::Verdict>& right, unsigned jobs, const Strike& strike,
            Report& report) {
  engine::Env env;
  env.jobs = jobs;
  env.limits = strike.limits();
  // The first formula only, for engines that take one after the other.
  env.progress = [&env](std::size_t) { env.limits.steps.reset(); };
  std::vector<engine::Result> results;
  bool struck = run_under(strike, [&] { results = engine.check(task, env); }).any;
  for (std::size_t i = 0; i < results.size(); ++i) {
    struck = struck || results[i].verdict == engine::Verdict::Unknown;
    report.expect(fault_of(results[i], right[i], true).empty(), [&] {
      return fmt::format("formula {} {}", i, fault_of(results[i], right[i], true));
    });
  }
  env.limits = {};
  results = engine.check(task, env);
  for (std::size_t i = 0; i < results.size(); ++i) {
    report.expect(fault_of(results[i], right[i], false).empty(), [&] {
      return fmt::format("afterwards formula {} {}", i, fault_of(results[i], right[i], false));
    });
  }
  return struck;
}

}  // namespace

void strike_engines(base::Random& random, Report& report) {
  logic::FormulaPool pool;
  // One with calls, and one without for the engines that take no other.
  for (bool finite : {false, true}) {
    Case made = make_case(pool, random.next(), kFormulas);
    while ((made.model.box_count() == 0) != finite) {
      made = make_case(pool, random.next(), kFormulas);
    }
    std::vector<logic::FormulaId> formulas;
    for (const logic::FormulaId f : made.formulas) {
      formulas.push_back(logic::existential_normal_form(pool, f));
    }
    const engine::Task task{made.model, pool, formulas};
    std::vector<engine::Verdict> right;
    engine::Env free;
    for (const engine::Result& result :
         engine::find_engine("reference").make()->check(task, free)) {
      right.push_back(result.verdict);
    }
    for (const engine::EngineInfo& info : engine::engine_registry()) {
      const std::unique_ptr<engine::Engine> engine = info.make();
      if (engine->cannot_handle(task).empty()) {
        const unsigned jobs = random.chance(0.3) ? kThreads : 1;
        report.sweep(
            fmt::format("{}{}", info.id, jobs > 1 ? ", threads" : ""), random, kSamples,
            [&](const Strike& s) { return strike(*engine, task, right, jobs, s, report); });
      }
    }
  }
}

}  // namespace nestor::test
