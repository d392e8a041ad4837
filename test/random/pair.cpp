#include "pair.h"

#include "engine/registry.h"
#include "generate/random_formula.h"
#include "generate/random_rsm.h"
#include "logic/normal_form.h"
#include "unfolding.h"

#include <fmt/format.h>

#include <map>

namespace nestor::test {

Case make_case(FormulaPool& pool, std::uint64_t seed, std::size_t formulas) {
  Random random(seed);
  RandomRsmOptions options;
  options.components = random.between(1, 4);
  options.nodes = random.between(2, 6);
  options.boxes = random.between(0, 3);
  options.entries = random.chance(0.5) ? 0.05 : 0.4;
  options.exits = random.chance(0.4) ? 0.05 : 0.6;
  options.density = random.chance(0.5) ? 0.2 : 0.35;
  options.hierarchical = random.chance(0.3);
  options.entries_may_exit = random.chance(0.5);
  options.into_entries = random.chance(0.5);
  options.exits_go_on = random.chance(0.3);
  options.dead_ends = random.chance(0.4);
  options.any_initial_nodes = random.chance(0.3);
  Case result{random_rsm(options, random), {}};
  for (std::size_t i = 0; i < formulas; ++i) {
    RandomFormulaOptions formula;
    formula.quantifier_depth = random.below(6);
    result.formulas.push_back(random_formula(pool, formula, random));
  }
  return result;
}

namespace {

constexpr std::size_t kMostStates = 300;

Result by_engine(std::string_view id, const Rsm& model, FormulaPool& pool, FormulaId formula) {
  const std::vector<FormulaId> formulas{existential_normal_form(pool, formula)};
  Env env;
  const std::unique_ptr<Engine> engine = find_engine(id).make();
  const Task task{model, pool, formulas};
  return engine->cannot_handle(task).empty() ? engine->check(task, env)[0] : Result{};
}

}  // namespace

std::string disagreement(const Rsm& model, FormulaPool& pool, FormulaId formula) {
  const Verdict right = by_engine("reference", model, pool, formula).verdict;
  const Verdict unfolded =
      check_by_unfolding(model, pool, existential_normal_form(pool, formula), kMostStates);
  if (unfolded != Verdict::Unknown && unfolded != right) {
    return fmt::format("reference says {}, the unfolding {}", to_string(right),
                       to_string(unfolded));
  }
  for (const EngineInfo& info : engine_registry()) {
    const Verdict verdict = by_engine(info.id, model, pool, formula).verdict;
    if (verdict != Verdict::Unknown && verdict != right) {
      return fmt::format("reference says {}, {} says {}", to_string(right), info.id,
                         to_string(verdict));
    }
  }
  const std::uint64_t summary = by_engine("summary", model, pool, formula).contexts;
  const std::uint64_t eager = by_engine("eager", model, pool, formula).contexts;
  if (summary > eager) {
    return fmt::format("summary needs {} contexts, eager {}", summary, eager);
  }
  return {};
}

std::size_t first_disagreement(const Case& random, FormulaPool& pool) {
  std::vector<FormulaId> formulas;
  for (const FormulaId formula : random.formulas) {
    formulas.push_back(existential_normal_form(pool, formula));
  }
  std::vector<Verdict> right;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    right.push_back(by_engine("reference", random.model, pool, random.formulas[i]).verdict);
    const Verdict unfolded = check_by_unfolding(random.model, pool, formulas[i], kMostStates);
    if (unfolded != Verdict::Unknown && unfolded != right[i]) {
      return i;
    }
  }
  const Task task{random.model, pool, formulas};
  std::map<std::string_view, std::vector<Result>> answers;
  for (const EngineInfo& info : engine_registry()) {
    const std::unique_ptr<Engine> engine = info.make();
    if (!engine->cannot_handle(task).empty()) {
      continue;
    }
    Env env;
    const std::vector<Result>& results = answers[info.id] = engine->check(task, env);
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      if (results[i].verdict != right[i]) {
        return i;
      }
    }
  }
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    if (answers.at("summary")[i].contexts > answers.at("eager")[i].contexts) {
      return i;
    }
  }
  return formulas.size();
}

}  // namespace nestor::test
