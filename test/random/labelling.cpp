// Random models and formulas: the labelling of every engine that makes one, by the rules that a
// right one obeys, and its verdict against `reference`.
//
//   labelling [--pairs=N] [--seed=S]

#include "engine/registry.h"
#include "labelling_rules.h"
#include "logic/normal_form.h"
#include "logic/printer.h"
#include "pair.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file

constexpr std::size_t kFormulasPerModel = 4;
/// A labelling has each context that stacks have, which can be many; those are left out.
constexpr std::uint64_t kMostSteps = 5'000'000;

/// What is wrong with the labelling of one engine; empty if nothing is, or there is none.
std::string wrong(const EngineInfo& engine, const Rsm& model, FormulaPool& pool, FormulaId normal,
                  std::size_t& checked) {
  Env env;
  env.limits.steps = kMostSteps;
  std::optional<Labelling> labelling;
  try {
    labelling = engine.make()->label(model, pool, normal, env);
  } catch (const LimitReached&) {
    return {};
  }
  constexpr std::size_t kMostRows = 2000;
  if (!labelling || labelling->node_rows > kMostRows) {
    return {};
  }
  ++checked;
  std::string broken = test::broken_rule(model, pool, *labelling);
  if (!broken.empty()) {
    return broken;
  }
  const auto initial = model.initial_nodes();
  const bool holds = std::all_of(initial.begin(), initial.end(), [&](NodeId n) {
    return labelling->values.back().test(labelling->node_row(model, Labelling::kRoot, n));
  });
  const std::vector<FormulaId> one{normal};
  const Result right = find_engine("reference").make()->check({model, pool, one}, env)[0];
  if (right.verdict != Verdict::Unknown && holds != (right.verdict == Verdict::Holds)) {
    return "another verdict than reference";
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"random test of labellings"};
  std::size_t pairs = 4000;
  std::uint64_t seed = 1;
  app.add_option("--pairs", pairs);
  app.add_option("--seed", seed);
  CLI11_PARSE(app, argc, argv);
  std::size_t failures = 0;
  std::size_t checked = 0;
  std::size_t done = 0;
  for (std::size_t k = 0; done < pairs && failures < 3; ++k) {
    FormulaPool pool;
    const test::Case random = test::make_case(pool, seed + k, kFormulasPerModel);
    done += random.formulas.size();
    for (const FormulaId formula : random.formulas) {
      const FormulaId normal = existential_normal_form(pool, formula);
      for (const EngineInfo& engine : engine_registry()) {
        const std::string why = wrong(engine, random.model, pool, normal, checked);
        if (!why.empty()) {
          ++failures;
          fmt::print("seed {}, {}, {}: {}\n", seed + k, engine.id, to_string(pool, formula), why);
        }
      }
    }
  }
  fmt::print("seed {}, {} pairs, {} labellings checked, {} failures\n", seed, done, checked,
             failures);
  return failures == 0 && checked > pairs / 2 ? 0 : 1;
}
