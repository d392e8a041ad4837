#pragma once

#include "engine/engine.h"
#include "engine/finite/finite_graph.h"
#include "engine/finite/global_checker.h"
#include "engine/finite/memory_table.h"
#include "engine/finite/subformula_sequence.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace nestor {

/// An engine around a GlobalChecker.
template <class Checker>
class GlobalEngine : public OneByOneEngine {
 public:
  explicit GlobalEngine(std::string id) : id_(std::move(id)) {}

  std::string cannot_handle(const Task& task) const override { return not_finite(task.model); }

 private:
  Verdict check_formula(const Rsm& model, FormulaPool& pool, FormulaId formula, Env& env,
                        LimitGuard& guard, Result& result) override {
    result.contexts = 1;
    const FiniteGraph graph(model);
    const SubformulaSequence sub(pool, formula);
    Checker checker(graph, pool, sub, guard);
    checker.evaluate(sub.top() + 1);
    if (env.statistics != nullptr) {
      const ProblemSize size{graph.size(), graph.transition_count(), sub.length()};
      report_memory(*env.statistics, memory_bits(id_, size), size);
      env.statistics->raise("finite.peak_stack", checker.peak_stack());
    }
    const BitSet& values = checker.labeled(sub.top());
    const bool holds =
        std::ranges::all_of(graph.initial(), [&](NodeId s) { return values.test(s.value()); });
    return holds ? Verdict::Holds : Verdict::Fails;
  }

  std::string id_;
};

template <class Checker>
std::unique_ptr<Engine> make_global_engine(std::string id) {
  return std::make_unique<GlobalEngine<Checker>>(std::move(id));
}

}  // namespace nestor
