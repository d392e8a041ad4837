#include "witness_fault.h"

#include "check/replay.h"
#include "engine/registry.h"
#include "explain/extract.h"
#include "pair.h"
#include "unfolding.h"

#include <fmt/format.h>

#include <stdexcept>

namespace nestor::test {

namespace {

constexpr std::size_t kMostUnfolded = 2000;

std::string shorter_path_fault(const model::Rsm& model, logic::FormulaPool& pool,
                               const witness::Witness& witness) {
  const witness::Evidence& root = witness.evidence[witness.roots.front()];
  const logic::Formula& formula = pool[witness.formula];
  if (root.kind != witness::Evidence::Kind::Until ||
      root.ending != witness::Evidence::Ending::Here || logic::operand_count(formula.op) == 0) {
    return {};
  }
  const std::optional<std::size_t> found = shortest_path(
      model, pool, witness.formula, witness.holds, witness.states[root.state].node, kMostUnfolded);
  if (found && *found != root.steps.size()) {
    return fmt::format("a path of {} steps, the shortest has {}", root.steps.size(), *found);
  }
  return {};
}

}  // namespace

std::vector<check::Decision> ReferenceDecider::decide(const model::Rsm& model,
                                                      logic::FormulaPool& pool,
                                                      std::span<const logic::FormulaId> formulas) {
  engine::Env env;
  env.limits.steps = kMostSteps;
  const engine::Task task{model, pool, formulas};
  std::unique_ptr<engine::Engine> engine = engine::find_engine("reference").make();
  if (!engine->cannot_handle(task).empty()) {
    engine = engine::find_engine("lazy").make();
  }
  std::vector<check::Decision> decisions;
  for (const engine::Result& result : engine->check(task, env)) {
    using Answer = check::Decision::Answer;
    decisions.push_back({result.verdict == engine::Verdict::Holds   ? Answer::Holds
                         : result.verdict == engine::Verdict::Fails ? Answer::Fails
                                                                    : Answer::Unknown,
                         result.reason});
  }
  return decisions;
}

std::optional<witness::Witness> make_witness(std::string_view id, const model::Rsm& model,
                                             logic::FormulaPool& pool, logic::FormulaId formula,
                                             engine::Verdict verdict) {
  engine::Env env;
  env.limits.steps = kMostSteps;
  const std::unique_ptr<engine::Engine> engine = engine::find_engine(id).make();
  const std::vector<logic::FormulaId> formulas{formula};
  if (!engine->cannot_handle(engine::Task{model, pool, formulas}).empty()) {
    return std::nullopt;
  }
  const std::optional<explain::Labelling> labelling = engine->label(model, pool, formula, env);
  if (!labelling) {
    return std::nullopt;
  }
  return explain::extract_witness(model, pool, formula, verdict == engine::Verdict::Holds,
                                  *labelling, std::string(id), env.limits);
}

namespace {

std::string fault_of(std::string_view engine, const model::Rsm& model, logic::FormulaPool& pool,
                     logic::FormulaId formula, engine::Verdict verdict) {
  const std::optional<witness::Witness> witness =
      make_witness(engine, model, pool, formula, verdict);
  if (!witness) {
    return {};  // its verdicts are shown by another engine's labelling, as the driver does
  }
  ReferenceDecider decider;
  const check::Replay result = check::replay(model, pool, formula, *witness, &decider);
  return result.accepted() ? shorter_path_fault(model, pool, *witness) : result.reason;
}

}  // namespace

std::string witness_fault(const model::Rsm& model, logic::FormulaPool& pool,
                          logic::FormulaId formula, engine::Verdict verdict) {
  for (const engine::EngineInfo& info : engine::engine_registry()) {
    std::string fault;
    try {
      fault = fault_of(info.id, model, pool, formula, verdict);
    } catch (const base::LimitReached& limit) {
      fault = limit.reason;
    } catch (const std::logic_error& error) {  // a check of its own failed
      fault = error.what();
    }
    if (!fault.empty()) {
      return fmt::format("the witness of {}: {}", info.id, fault);
    }
  }
  return {};
}

}  // namespace nestor::test
