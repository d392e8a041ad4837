#include "driver/probe/oracle.h"

#include "engine/finite/dfs.h"
#include "engine/registry.h"

#include <vector>

namespace nestor {

bool Oracle::holds(FormulaId formula, const Configuration& state) {
  if (is_finite()) {
    const NodeId first = model_.component(model_.initial_component()).first_node;
    auto [place, is_new] = values_.try_emplace(formula);
    if (is_new) {
      const FiniteGraph graph(model_);
      const SubformulaSequence sub(pool_, formula);
      LimitGuard guard(limits_);
      DfsChecker checker(graph, pool_, sub, guard);
      try {
        checker.evaluate(sub.length());
      } catch (const LimitReached&) {
        values_.erase(place);
        throw;
      }
      place->second = checker.labeled(sub.top());
    }
    return place->second.test(state.node - first);
  }
  const auto [place, is_new] = answers_.try_emplace({formula, state}, false);
  if (is_new) {
    const Lead lead = lead_to(model_, state);
    FormulaId ahead = formula;
    for (std::size_t i = 0; i < lead.steps; ++i) {
      ahead = pool_.unary(Op::EX, ahead);
    }
    Env env;
    env.limits = limits_;
    const std::vector<FormulaId> formulas = {ahead};
    const Result result = default_engine().make()->check({lead.model, pool_, formulas}, env)[0];
    if (result.verdict == Verdict::Unknown) {
      answers_.erase(place);
      throw LimitReached{result.reason};
    }
    place->second = result.verdict == Verdict::Holds;
  }
  return place->second;
}

}  // namespace nestor
