// Random models and formulas: the labelling of every engine that makes one, by the rules that a
// right one obeys, and its verdict against `reference`; on finite models the approximations of its
// fixpoints, by their definition. And each model again, started at another of its nodes.
//
//   labelling [--pairs=N] [--seed=S]

#include "engine/registry.h"
#include "explain/approximations.h"
#include "generate/random_formula.h"
#include "generate/random_rsm.h"
#include "labelling_rules.h"
#include "logic/printer.h"
#include "model/start_at.h"
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

/// X₀, X₁, … by the equations of explain/approximations.h, all states looked at each time. Empty if
/// these are the approximations given.
std::string wrong_approximations(const model::Rsm& model, const logic::FormulaPool& pool,
                                 const explain::Labelling& labelling, std::size_t number,
                                 std::size_t& checked) {
  const std::optional<explain::Approximations> found =
      explain::approximate(model, pool, labelling, number);
  const logic::Formula& formula = pool[labelling.subformulas[number]];
  const bool grows = formula.op == logic::Op::EU;
  if (model.box_count() > 0 || (!grows && formula.op != logic::Op::EG)) {
    return found ? "approximations of what is no fixpoint" : "";
  }
  if (!found || found->grows != grows) {
    return "no approximations, or of another fixpoint";
  }
  ++checked;
  const auto values = [&](logic::FormulaId f) {
    const auto place = std::ranges::find(labelling.subformulas, f);
    return labelling.values[static_cast<std::size_t>(place - labelling.subformulas.begin())];
  };
  const base::BitSet phi = values(formula.left);
  const base::BitSet psi = grows ? values(formula.right) : phi;
  const model::NodeId first = model.component(model.initial_component()).first_node;
  const std::uint32_t rows = labelling.node_rows;
  const auto next = [&](const std::vector<bool>& x) {
    std::vector<bool> result(rows);
    for (std::uint32_t row = 0; row < rows; ++row) {
      bool before = !grows && (model.successors(first + row).empty() || model.is_exit(first + row));
      for (const model::NodeId n : model.successors(first + row)) {
        before = before || x[n - first];
      }
      result[row] = grows ? psi.test(row) || (phi.test(row) && before) : phi.test(row) && before;
    }
    return result;
  };
  std::vector<std::uint32_t> changed(rows, 0);
  std::vector<bool> x(rows);
  for (std::uint32_t row = 0; row < rows; ++row) {
    x[row] = psi.test(row);  // X₁
    changed[row] = x[row] == grows ? 1 : 0;
  }
  for (std::uint32_t j = 2;; ++j) {
    const std::vector<bool> after = next(x);
    for (std::uint32_t row = 0; row < rows; ++row) {
      changed[row] = after[row] != x[row] ? j : changed[row];
    }
    if (after == x) {
      return found->steps != j           ? fmt::format("{} steps, not {}", found->steps, j)
             : found->changed != changed ? "approximations that change elsewhere"
                                         : "";
    }
    x = after;
  }
}

/// The model started at a node by chance, as --initial does it: its verdicts are the values that
/// the labelling of the model started at that node's component has there.
std::string wrong_start(const test::Case& random, logic::FormulaPool& pool, std::uint64_t seed,
                        std::size_t& checked) {
  base::Random choice(seed);
  const model::Rsm& model = random.model;
  const model::ComponentId c(static_cast<std::uint32_t>(choice.below(model.component_count())));
  const auto nodes = model.component(c).plain_nodes();
  const model::NodeId node =
      *nodes.begin() + static_cast<std::uint32_t>(choice.below(nodes.size()));
  const std::string component(model.component_name(c));
  if (model.entries(c).empty()) {
    return {};
  }
  model::Rsm at_component = model;
  model::start_at(at_component, component, "random");
  model::Rsm at_node = model;
  model::start_at(at_node, fmt::format("{}:{}", component, model.node_name(node)), "random");
  for (const logic::FormulaId formula : random.formulas) {
    engine::Env env;
    env.limits.steps = kMostSteps;
    try {
      const std::optional<explain::Labelling> labelling =
          engine::find_engine("eager").make()->label(at_component, pool, formula, env);
      const engine::Result found =
          engine::find_engine("summary").make()->check({at_node, pool, {&formula, 1}}, env)[0];
      if (!labelling || found.verdict == engine::Verdict::Unknown) {
        continue;
      }
      ++checked;
      const std::size_t row = labelling->node_row(at_component, explain::Labelling::kRoot, node);
      if (labelling->values.back().test(row) != (found.verdict == engine::Verdict::Holds)) {
        return fmt::format("{}: another verdict, started at {}:{}", logic::to_string(pool, formula),
                           component, model.node_name(node));
      }
    } catch (const base::LimitReached&) {
      continue;
    }
  }
  return {};
}

/// The formula with other propositions.
logic::FormulaId renamed(logic::FormulaPool& pool, logic::FormulaId formula, base::Random& choice) {
  std::map<logic::FormulaId, logic::FormulaId> made;
  for (const logic::FormulaId id : logic::subformulas(pool, formula)) {
    const logic::Formula f = pool[id];
    made[id] = f.op == logic::Op::Atom ? pool.atom(std::string(1, "abcd"[choice.below(4)]))
               : logic::operand_count(f.op) == 0 ? id
               : logic::operand_count(f.op) == 1
                   ? pool.unary(f.op, made.at(f.left))
                   : pool.binary(f.op, made.at(f.left), made.at(f.right));
  }
  return made.at(formula);
}

/// Formulas of one shape, labelled side by side: each labelling must be what the formula gets
/// alone.
std::string wrong_together(const model::Rsm& model, logic::FormulaPool& pool,
                           logic::FormulaId formula, std::uint64_t seed, std::size_t& checked) {
  base::Random choice(seed);
  std::vector<logic::FormulaId> formulas{formula};
  for (int k = 0; k < 20; ++k) {  // more than go side by side
    formulas.push_back(renamed(pool, formula, choice));
  }
  engine::Env env;
  env.limits.steps = kMostSteps;
  const std::unique_ptr<engine::Engine> engine = engine::find_engine("summary").make();
  try {
    const auto together = engine->label_together(model, pool, formulas, env);
    for (std::size_t f = 0; f < formulas.size(); ++f) {
      if (!together[f]) {
        continue;
      }
      const std::string broken = test::broken_rule(model, pool, *together[f]);
      const std::optional<explain::Labelling> alone = engine->label(model, pool, formulas[f], env);
      const bool same = together[f]->subformulas == alone->subformulas &&
                        together[f]->callees == alone->callees &&
                        together[f]->values == alone->values &&
                        together[f]->contexts == alone->contexts;
      if (!broken.empty() || !same) {
        return fmt::format("beside others: {}", broken.empty() ? "another labelling" : broken);
      }
      checked += f > 0 ? 1 : 0;
    }
  } catch (const base::LimitReached&) {
    return {};
  }
  return {};
}

/// What is wrong with the labelling of one engine; empty if nothing is, or there is none.
std::string wrong(const engine::EngineInfo& engine, const model::Rsm& model,
                  logic::FormulaPool& pool, logic::FormulaId formula, std::size_t& checked,
                  std::size_t& fixpoints) {
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
  for (std::size_t s = 0; s < labelling->subformulas.size(); ++s) {
    broken = wrong_approximations(model, pool, *labelling, s, fixpoints);
    if (!broken.empty()) {
      return broken;
    }
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
  std::size_t fixpoints = 0;
  std::size_t starts = 0;
  std::size_t together = 0;
  std::size_t done = 0;
  for (std::size_t k = 0; done < pairs && failures < 3; ++k) {
    logic::FormulaPool pool;
    const test::Case random = k % 3 == 0 ? make_finite_case(pool, seed + k)
                                         : test::make_case(pool, seed + k, kFormulasPerModel);
    done += random.formulas.size();
    const std::string start = wrong_start(random, pool, seed + k, starts);
    if (!start.empty()) {
      ++failures;
      fmt::print("seed {}, {}\n", seed + k, start);
    }
    const std::string beside =
        wrong_together(random.model, pool, random.formulas.front(), seed + k, together);
    if (!beside.empty()) {
      ++failures;
      fmt::print("seed {}, {}\n", seed + k, beside);
    }
    for (const logic::FormulaId formula : random.formulas) {
      for (const engine::EngineInfo& engine : engine::engine_registry()) {
        const std::string why =
            wrong(engine, random.model, pool, formula, checked[engine.id], fixpoints);
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
  fmt::print("; fixpoints {}, other starts {}, beside others {}\n", fixpoints, starts, together);
  enough = enough && fixpoints > pairs / 4 && starts > pairs / 4 && together > pairs / 4;
  return failures == 0 && enough ? 0 : 1;
}
