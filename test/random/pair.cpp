#include "pair.h"

#include "engine/registry.h"
#include "generate/random_formula.h"
#include "generate/random_rsm.h"
#include "logic/normal_form.h"
#include "model/inspect.h"
#include "unfolding.h"
#include "witness_fault.h"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace nestor::test {

namespace {

/// More than half of the models are small and dense, so that all is close to all; the others are
/// sparse, so that values must travel far, through calls and back, and not all is reachable. Some
/// are without loops, so that what a path does at its end matters.
model::Rsm make_model(base::Random& random, const std::vector<std::string>& propositions) {
  generate::RandomRsmOptions options;
  const bool sparse = random.chance(0.4);
  options.components = random.between(1, sparse ? 5 : 4);
  options.nodes = sparse ? random.between(4, 8) : random.between(2, 6);
  options.boxes = sparse ? random.between(1, 4) : random.between(0, 3);
  options.entries = random.chance(0.5) ? 0.05 : 0.4;
  options.exits = random.chance(0.4) ? 0.05 : sparse ? 0.4 : 0.6;
  options.density = sparse ? 0.06 : random.chance(0.5) ? 0.2 : 0.35;
  options.hierarchical = random.chance(0.3);
  options.entries_may_exit = random.chance(0.5);
  options.into_entries = random.chance(0.5);
  options.exits_go_on = random.chance(0.3);
  options.some_never_exit = random.chance(0.3);
  options.dead_ends = random.chance(0.4);
  options.forward = random.chance(0.3);
  if (options.forward) {  // half of the transitions are left out
    options.density *= 2;
    options.dead_ends = random.chance(0.8);
    options.exits_go_on = random.chance(0.5);
  }
  options.any_initial_nodes = random.chance(0.6);
  if (random.chance(0.3)) {  // else most formulas are decided within a few steps
    const bool rare = random.chance(0.5);
    for (generate::LabelShare& label : options.labels) {
      label.share = rare ? 0.1 : 0.9;
    }
  }
  if (!propositions.empty()) {
    options.labels.clear();
    for (const std::string& name : propositions) {
      options.labels.push_back({name, random.chance(0.5) ? 0.2 : 0.7});
    }
  }
  return generate::random_rsm(options, random);
}

/// EF (p & EX (q & …)) and the like: a proposition at each step, so that few nodes satisfy it and a
/// node that wrongly does shows.
logic::FormulaId make_chain(logic::FormulaPool& pool, base::Random& random,
                            const std::vector<std::string>& propositions) {
  const auto atom = [&] { return pool.atom(propositions[random.below(propositions.size())]); };
  constexpr std::array kOps = {logic::Op::EX, logic::Op::EX, logic::Op::EX, logic::Op::AX,
                               logic::Op::EF, logic::Op::EG, logic::Op::AF, logic::Op::AG};
  logic::FormulaId formula = atom();
  for (std::uint64_t depth = random.between(1, 4); depth > 0; --depth) {
    formula = pool.unary(kOps[random.below(kOps.size())], formula);
    if (random.chance(0.7)) {
      formula = pool.binary(logic::Op::And, atom(), formula);
    }
  }
  formula = pool.unary(random.chance(0.8) ? logic::Op::EF : logic::Op::EX, formula);
  return random.chance(0.5) ? pool.unary(logic::Op::Not, formula) : formula;
}

/// Some formulas have quantifiers under both operands, with parts in common.
logic::FormulaId make_formula(logic::FormulaPool& pool, base::Random& random,
                              const std::vector<std::string>& propositions) {
  generate::RandomFormulaOptions options;
  if (!propositions.empty()) {
    options.propositions = propositions;
  }
  const std::uint64_t kind = random.below(10);
  if (kind < 2) {
    return make_chain(pool, random, options.propositions);
  }
  if (kind < 8) {
    options.quantifier_depth = random.below(6);
    return generate::random_formula(pool, options, random);
  }
  options.quantifier_depth = random.between(1, 2);
  const logic::FormulaId one = generate::random_formula(pool, options, random);
  const logic::FormulaId other = generate::random_formula(pool, options, random);
  constexpr std::array kOps = {logic::Op::EU, logic::Op::EW, logic::Op::ER,  logic::Op::AU,
                               logic::Op::AW, logic::Op::AR, logic::Op::And, logic::Op::Or};
  const logic::FormulaId both = pool.binary(kOps[random.below(kOps.size())], one, other);
  return random.chance(0.5)
             ? both
             : pool.binary(kOps[random.below(kOps.size())], both, random.chance(0.5) ? one : other);
}

/// A formula with a part of another one in it.
logic::FormulaId make_relative(logic::FormulaPool& pool, base::Random& random,
                               logic::FormulaId formula) {
  const std::vector<logic::FormulaId> parts = logic::subformulas(pool, formula);
  const logic::FormulaId part = parts[parts.size() - 1 - random.below((parts.size() + 1) / 2)];
  constexpr std::array kOps = {logic::Op::EU, logic::Op::AU, logic::Op::And, logic::Op::Or};
  const logic::Op op = kOps[random.below(kOps.size())];
  return random.chance(0.5) ? pool.binary(op, pool.atom("a"), part)
                            : pool.binary(op, part, pool.atom("b"));
}

}  // namespace

Case make_case(logic::FormulaPool& pool, std::uint64_t seed, std::size_t formulas) {
  base::Random random(seed);
  Case result{make_model(random, {}), {}};
  for (std::size_t i = 0; i < formulas; ++i) {
    result.formulas.push_back(make_formula(pool, random, {}));
  }
  return result;
}

Case make_batch(logic::FormulaPool& pool, std::uint64_t seed) {
  base::Random random(seed);
  const std::vector<std::string> propositions = {"a", "b", "c", "d", "e", "f", "g", "h"};
  Case result{make_model(random, propositions), {}};
  const logic::FormulaId shape = make_formula(pool, random, {"a", "b", "c"});
  const logic::FormulaId relative = make_relative(pool, random, shape);
  const bool with_relatives = random.chance(0.4);
  // Mostly few, as models matter more; some around the numbers of bits of a machine word and of
  // four.
  const std::uint64_t kind = random.below(40);
  const std::size_t formulas = kind == 0   ? random.between(250, 260)
                               : kind <= 3 ? random.between(60, 70)
                                           : random.between(2, 8);
  for (std::size_t i = 0; i < formulas; ++i) {
    std::map<std::string, std::string, std::less<>> names;
    for (const char* name : {"a", "b", "c"}) {
      names[name] = propositions[random.below(propositions.size())];
    }
    result.formulas.push_back(with_names(pool, shape, names));
    if (with_relatives && random.chance(0.7)) {
      result.formulas.push_back(with_names(pool, relative, names));
    }
  }
  return result;
}

logic::FormulaId with_names(logic::FormulaPool& pool, logic::FormulaId root,
                            const std::map<std::string, std::string, std::less<>>& names) {
  std::map<logic::FormulaId, logic::FormulaId> image;
  for (const logic::FormulaId f : logic::subformulas(pool, root)) {
    const logic::Formula formula = pool[f];
    switch (logic::operand_count(formula.op)) {
      case 0: {
        const auto found =
            formula.op == logic::Op::Atom ? names.find(pool.atom_name(f)) : names.end();
        image[f] = found == names.end() ? f : pool.atom(found->second);
        break;
      }
      case 1:
        image[f] = pool.unary(formula.op, image[formula.left]);
        break;
      default:
        image[f] = pool.binary(formula.op, image[formula.left], image[formula.right]);
    }
  }
  return image[root];
}

namespace {

constexpr std::size_t kMostStates = 300;
/// The default engine, and the same without its early end, which would answer most of these.
constexpr std::array kSummaries = {"summary", "summary-whole"};

/// None if the engine cannot handle the model.
std::optional<engine::Result> by_engine(std::string_view id, const model::Rsm& model,
                                        logic::FormulaPool& pool, logic::FormulaId formula) {
  const std::vector<logic::FormulaId> formulas{formula};
  engine::Env env;
  env.limits.steps = kMostSteps;
  const std::unique_ptr<engine::Engine> engine = engine::find_engine(id).make();
  const engine::Task task{model, pool, formulas};
  if (!engine->cannot_handle(task).empty()) {
    return std::nullopt;
  }
  return engine->check(task, env)[0];
}

}  // namespace

std::string disagreement(const model::Rsm& model, logic::FormulaPool& pool,
                         logic::FormulaId formula) {
  const std::optional<engine::Result> right = by_engine("reference", model, pool, formula);
  const engine::Verdict unfolded =
      check_by_unfolding(model, pool, logic::existential_normal_form(pool, formula), kMostStates);
  if (unfolded != engine::Verdict::Unknown && unfolded != right->verdict) {
    return fmt::format("reference says {}, the unfolding {}", engine::to_string(right->verdict),
                       engine::to_string(unfolded));
  }
  for (const engine::EngineInfo& info : engine::engine_registry()) {
    const std::optional<engine::Result> result = by_engine(info.id, model, pool, formula);
    if (result && result->verdict != right->verdict) {
      return fmt::format("reference says {}, {} says {} {}", engine::to_string(right->verdict),
                         info.id, engine::to_string(result->verdict), result->reason);
    }
  }
  if (std::string fault = witness_fault(model, pool, formula, right->verdict); !fault.empty()) {
    return fault;
  }
  const std::uint64_t eager = by_engine("eager", model, pool, formula)->contexts;
  for (const char* summary : kSummaries) {
    const std::uint64_t contexts = by_engine(summary, model, pool, formula)->contexts;
    if (contexts > eager) {
      return fmt::format("{} needs {} contexts, eager {}", summary, contexts, eager);
    }
  }
  return {};
}

std::size_t first_disagreement(const Case& random, logic::FormulaPool& pool) {
  const std::vector<logic::FormulaId>& formulas = random.formulas;
  std::vector<engine::Verdict> right;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    right.push_back(by_engine("reference", random.model, pool, formulas[i])->verdict);
    const engine::Verdict unfolded = check_by_unfolding(
        random.model, pool, logic::existential_normal_form(pool, formulas[i]), kMostStates);
    if (unfolded != engine::Verdict::Unknown && unfolded != right[i]) {
      return i;
    }
  }
  const engine::Task task{random.model, pool, formulas};
  std::map<std::string_view, std::vector<engine::Result>> answers;
  for (const engine::EngineInfo& info : engine::engine_registry()) {
    const std::unique_ptr<engine::Engine> engine = info.make();
    if (!engine->cannot_handle(task).empty()) {
      continue;
    }
    engine::Env env;
    env.limits.steps = kMostSteps;
    env.jobs = formulas.size() > 4 ? 2 : 1;
    const std::vector<engine::Result>& results = answers[info.id] = engine->check(task, env);
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      if (results[i].verdict != right[i]) {
        return i;
      }
    }
  }
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    if (!witness_fault(random.model, pool, random.formulas[i], right[i]).empty()) {
      return i;
    }
  }
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    for (const char* summary : kSummaries) {
      if (answers.at(summary)[i].contexts > answers.at("eager")[i].contexts) {
        return i;
      }
    }
  }
  return formulas.size();
}

}  // namespace nestor::test
