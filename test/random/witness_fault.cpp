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

constexpr std::size_t kMostStates = 2000;

std::string shorter_path_fault(const Rsm& model, FormulaPool& pool, const Witness& witness) {
  const Evidence& root = witness.evidence[witness.roots.front()];
  const Formula& formula = pool[witness.formula];
  if (root.kind != Evidence::Kind::Until || root.ending != Evidence::Ending::Here ||
      operand_count(formula.op) == 0) {
    return {};
  }
  const std::optional<std::size_t> found = shortest_path(
      model, pool, witness.formula, witness.holds, witness.states[root.state].node, kMostStates);
  if (found && *found != root.steps.size()) {
    return fmt::format("a path of {} steps, the shortest has {}", root.steps.size(), *found);
  }
  return {};
}

}  // namespace

std::vector<Decision> ReferenceDecider::decide(const Rsm& model, FormulaPool& pool,
                                               std::span<const FormulaId> formulas) {
  Env env;
  env.limits.steps = kMostSteps;
  const Task task{model, pool, formulas};
  std::unique_ptr<Engine> engine = find_engine("reference").make();
  if (!engine->cannot_handle(task).empty()) {
    engine = find_engine("lazy").make();
  }
  std::vector<Decision> decisions;
  for (const Result& result : engine->check(task, env)) {
    using Answer = Decision::Answer;
    decisions.push_back({result.verdict == Verdict::Holds   ? Answer::Holds
                         : result.verdict == Verdict::Fails ? Answer::Fails
                                                            : Answer::Unknown,
                         result.reason});
  }
  return decisions;
}

std::optional<Witness> make_witness(std::string_view id, const Rsm& model, FormulaPool& pool,
                                    FormulaId formula, Verdict verdict) {
  Env env;
  env.limits.steps = kMostSteps;
  const std::unique_ptr<Engine> engine = find_engine(id).make();
  const std::vector<FormulaId> formulas{formula};
  if (!engine->cannot_handle(Task{model, pool, formulas}).empty()) {
    return std::nullopt;
  }
  const std::optional<Labelling> labelling = engine->label(model, pool, formula, env);
  if (!labelling) {
    return std::nullopt;
  }
  return extract_witness(model, pool, formula, verdict == Verdict::Holds, *labelling,
                         std::string(id), env.limits);
}

namespace {

std::string fault_of(std::string_view engine, const Rsm& model, FormulaPool& pool,
                     FormulaId formula, Verdict verdict) {
  const std::optional<Witness> witness = make_witness(engine, model, pool, formula, verdict);
  if (!witness) {
    return {};  // its verdicts are shown by another engine's labelling, as the driver does
  }
  ReferenceDecider decider;
  const Replay result = replay(model, pool, formula, *witness, &decider);
  return result.accepted() ? shorter_path_fault(model, pool, *witness) : result.reason;
}

}  // namespace

std::string witness_fault(const Rsm& model, FormulaPool& pool, FormulaId formula, Verdict verdict) {
  for (const EngineInfo& info : engine_registry()) {
    std::string fault;
    try {
      fault = fault_of(info.id, model, pool, formula, verdict);
    } catch (const LimitReached& limit) {
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
