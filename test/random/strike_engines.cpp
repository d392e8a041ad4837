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

/// Of the formula in place i; empty if it is right, or unknown where it may be.
std::string fault_of(const Result& result, Verdict right, bool may_be_unknown) {
  const bool fits =
      result.verdict == right || (may_be_unknown && result.verdict == Verdict::Unknown);
  return fits ? std::string()
              : fmt::format("says {} {}, expected {}", to_string(result.verdict), result.reason,
                            to_string(right));
}

bool strike(Engine& engine, const Task& task, const std::vector<Verdict>& right,
            const Strike& strike, Report& report) {
  Env env;
  env.limits = strike.limits();
  // The first formula only, for engines that take one after the other.
  env.progress = [&env](std::size_t) { env.limits.steps.reset(); };
  std::vector<Result> results;
  bool struck = run_under(strike, [&] { results = engine.check(task, env); }).any;
  for (std::size_t i = 0; i < results.size(); ++i) {
    struck = struck || results[i].verdict == Verdict::Unknown;
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

void strike_engines(Random& random, Report& report) {
  FormulaPool pool;
  // One with calls, and one without for the engines that take no other.
  for (bool finite : {false, true}) {
    Case made = make_case(pool, random.next(), kFormulas);
    while ((made.model.box_count() == 0) != finite) {
      made = make_case(pool, random.next(), kFormulas);
    }
    std::vector<FormulaId> formulas;
    for (const FormulaId f : made.formulas) {
      formulas.push_back(existential_normal_form(pool, f));
    }
    const Task task{made.model, pool, formulas};
    std::vector<Verdict> right;
    Env free;
    for (const Result& result : find_engine("reference").make()->check(task, free)) {
      right.push_back(result.verdict);
    }
    for (const EngineInfo& info : engine_registry()) {
      const std::unique_ptr<Engine> engine = info.make();
      if (engine->cannot_handle(task).empty()) {
        report.sweep(info.id, random, kSamples,
                     [&](const Strike& s) { return strike(*engine, task, right, s, report); });
      }
    }
  }
}

}  // namespace nestor::test
