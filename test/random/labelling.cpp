// Random models and formulas: the labelling of every engine that makes one, by the rules that a
// right one obeys, and its verdict against `reference`.
//
//   labelling [--pairs=N] [--seed=S]

#include "engine/registry.h"
#include "generate/random_formula.h"
#include "generate/random_rsm.h"
#include "labelling_rules.h"
#include "logic/printer.h"
#include "pair.h"
#include "run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file

constexpr std::size_t kFormulasPerModel = 4;
/// A labelling has each context that stacks have, which can be many; those are left out.
constexpr std::uint64_t kMostSteps = 5'000'000;

/// The engines that label.
constexpr std::array kLabelling = {"summary", "summary-whole", "eager", "labelling",
                                   "naive",   "emc",           "almc",  "dfs"};

/// A model without boxes: half of the engines decide nothing else.
test::Case make_finite_case(logic::FormulaPool& pool, std::uint64_t seed) {
  base::Random random(seed);
  generate::RandomRsmOptions options;
  options.components = random.between(1, 2);
  options.boxes = 0;
  options.nodes = random.between(1, 30);
  options.exits = random.chance(0.5) ? 0.02 : 0.2;
  options.some_never_exit = random.chance(0.5);
  options.exits_go_on = random.chance(0.5);
  options.into_entries = true;
  options.entries_may_exit = random.chance(0.5);
  options.density =
      (0.7 + static_cast<double>(random.below(20)) / 10) / static_cast<double>(options.nodes);
  options.dead_ends = random.chance(0.5);
  options.any_initial_nodes = random.chance(0.5);
  test::Case made{generate::random_rsm(options, random), {}};
  generate::RandomFormulaOptions shape;
  for (std::size_t i = 0; i < kFormulasPerModel; ++i) {
    shape.quantifier_depth = random.between(1, 4);
    made.formulas.push_back(generate::random_formula(pool, shape, random));
  }
  return made;
}

/// What is wrong with the labelling of one engine; empty if nothing is, or there is none.
std::string wrong(const engine::EngineInfo& engine, const model::Rsm& model,
                  logic::FormulaPool& pool, logic::FormulaId formula, std::size_t& checked) {
  engine::Env env;
  env.limits.steps = kMostSteps;
  std::optional<explain::Labelling> labelling;
  try {
    labelling = engine.make()->label(model, pool, formula, env);
  } catch (const base::LimitReached&) {
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
  const bool holds = std::all_of(initial.begin(), initial.end(), [&](model::NodeId n) {
    return labelling->values.back().test(labelling->node_row(model, explain::Labelling::kRoot, n));
  });
  const std::vector<logic::FormulaId> one{formula};
  const engine::Result right =
      engine::find_engine("reference").make()->check({model, pool, one}, env)[0];
  if (right.verdict != engine::Verdict::Unknown &&
      holds != (right.verdict == engine::Verdict::Holds)) {
    return "another verdict than reference";
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const auto [pairs, seed, folder] = test::read_options(argc, argv, "--pairs", {4000, 1, "."});
  std::size_t failures = 0;
  std::map<std::string_view, std::size_t> checked;  // by engine
  std::size_t done = 0;
  for (std::size_t k = 0; done < pairs && failures < 3; ++k) {
    logic::FormulaPool pool;
    const test::Case random = k % 3 == 0 ? make_finite_case(pool, seed + k)
                                         : test::make_case(pool, seed + k, kFormulasPerModel);
    done += random.formulas.size();
    for (const logic::FormulaId formula : random.formulas) {
      for (const engine::EngineInfo& engine : engine::engine_registry()) {
        const std::string why = wrong(engine, random.model, pool, formula, checked[engine.id]);
        if (!why.empty()) {
          ++failures;
          fmt::print("seed {}, {}, {}: {}\n", seed + k, engine.id, logic::to_string(pool, formula),
                     why);
        }
      }
    }
  }
  fmt::print("seed {}, {} pairs, {} failures; labellings checked:", seed, done, failures);
  bool enough = true;
  for (const std::string_view id : kLabelling) {
    fmt::print(" {} {}", id, checked[id]);
    enough = enough && checked[id] > pairs / 4;
  }
  fmt::print("\n");
  return failures == 0 && enough ? 0 : 1;
}
