#include "driver/probe/oracle.h"

#include "engine/finite/dfs.h"
#include "engine/registry.h"

#include <vector>

namespace nestor {

bool Oracle::holds(FormulaId formula, const Configuration& state) {
  if (is_finite()) {
    const NodeId first = model_.component(model_.initial_component()).first_node;
    auto place = values_.find(formula);
    if (place == values_.end()) {
      const FiniteGraph graph(model_);
      const SubformulaSequence sub(pool_, formula);
      LimitGuard guard(limits_);
      DfsChecker checker(graph, pool_, sub, guard);
      checker.evaluate(sub.length());
      place = values_.emplace(formula, checker.labeled(sub.top())).first;
    }
    return place->second.test(state.node - first);
  }
  auto place = answers_.find({formula, state});
  if (place == answers_.end()) {
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
      throw LimitReached{result.reason};
    }
    place = answers_.emplace(std::pair(formula, state), result.verdict == Verdict::Holds).first;
  }
  return place->second;
}

}  // namespace nestor
