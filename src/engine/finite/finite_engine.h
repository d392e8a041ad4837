#pragma once

#include "engine/engine.h"
#include "engine/finite/finite_graph.h"
#include "engine/finite/global_checker.h"
#include "engine/finite/memory_table.h"
#include "engine/finite/subformula_sequence.h"
#include "engine/finite_labelling.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace nestor::engine::finite {

/// The labelling by an engine of this folder: `find_values(graph, sub, guard)` gives the values of
/// the subformulas that the sequence was made of. Nothing if the model has boxes.
template <class FindValues>
std::optional<explain::Labelling> label_finite(const model::Rsm& model, logic::FormulaPool& pool,
                                               logic::FormulaId formula, const base::Limits& limits,
                                               FindValues find_values) {
  if (!not_finite(model).empty()) {
    return std::nullopt;
  }
  base::LimitGuard guard(limits);
  const logic::FormulaId normal = logic::existential_normal_form(pool, formula);
  const FiniteGraph graph(model);
  const SubformulaSequence sub(pool, normal);
  return finite_labelling(model, pool, normal, find_values(graph, sub, guard));
}

/// An engine around a GlobalChecker.
template <class Checker>
class GlobalEngine : public OneByOneEngine {
 public:
  explicit GlobalEngine(std::string id) : id_(std::move(id)) {}

  std::string cannot_handle(const Task& task) const override { return not_finite(task.model); }

  /// A global algorithm evaluates every subformula in every state anyway.
  std::optional<explain::Labelling> label(const model::Rsm& model, logic::FormulaPool& pool,
                                          logic::FormulaId formula, Env& env) override {
    return label_finite(
        model, pool, formula, env.limits,
        [&](const FiniteGraph& graph, const SubformulaSequence& sub, base::LimitGuard& guard) {
          Checker checker(graph, pool, sub, guard);
          checker.evaluate(sub.length());
          return values_of(checker, sub);
        });
  }

 protected:
  /// The values of the subformulas that the sequence was made of.
  static std::vector<base::BitSet> values_of(const Checker& checker,
                                             const SubformulaSequence& sub) {
    std::vector<base::BitSet> values;
    for (const std::uint32_t i : sub.places()) {
      values.push_back(checker.labeled(i));
    }
    return values;
  }

 private:
  Verdict check_formula(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
                        Env& env, base::LimitGuard& guard, Result& result) override {
    result.contexts = 1;
    const FiniteGraph graph(model);
    const SubformulaSequence sub(pool, formula);
    Checker checker(graph, pool, sub, guard);
    const bool is_true = holds(checker, sub, graph.initial());
    if (env.statistics != nullptr) {
      const ProblemSize size{graph.size(), graph.transition_count(), sub.length()};
      report_memory(*env.statistics, memory_bits(id_, size), size);
      env.statistics->raise("finite.peak_stack", checker.peak_stack());
      env.statistics->raise("finite.bytes.search", checker.memory_bytes());
      env.statistics->raise("finite.bytes.relations", graph.relation_bytes());
    }
    return is_true ? Verdict::Holds : Verdict::Fails;
  }

  /// A global algorithm evaluates the formula in every state.
  virtual bool holds(Checker& checker, const SubformulaSequence& sub,
                     const std::vector<model::NodeId>& initial) const {
    checker.evaluate(sub.top() + 1);
    const base::BitSet& values = checker.labeled(sub.top());
    return std::ranges::all_of(initial, [&](model::NodeId s) { return values.test(s.value()); });
  }

  std::string id_;
};

template <class Checker>
std::unique_ptr<Engine> make_global_engine(std::string id) {
  return std::make_unique<GlobalEngine<Checker>>(std::move(id));
}

}  // namespace nestor::engine::finite
