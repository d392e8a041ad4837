// The engine `mu` (docs/mu.md):
//
//   plan      the formula as steps in blocks
//   frames    what the top of a stack can look like
//   game      which step has to be shown where, and what that depends on
//   monotone  functions of what happens after a return
//   solver    the equations between them, solved
//   from_ctl  formulas of CTL

#include "engine/mu/mu.h"

#include "engine/mu/from_ctl.h"
#include "engine/mu/game.h"
#include "engine/mu/plan.h"
#include "engine/mu/solver.h"

namespace nestor::engine::mu {

namespace {

Verdict decide(const model::Rsm& model, const logic::MuFormula& formula, Env& env,
               base::LimitGuard& guard, Result& result) {
  result.contexts = 1;  // functions are for all contexts at once
  const Plan plan(formula, model);
  const Game game(model, plan, guard);
  Solver solver(game, plan, guard);
  solver.solve();
  if (env.statistics != nullptr) {
    env.statistics->add("engine.mu.frames", game.frame_count());
    env.statistics->add("engine.mu.vertices", game.vertices().size());
    env.statistics->add("engine.mu.functions", solver.function_count());
    env.statistics->add("engine.mu.evaluations", solver.evaluations());
  }
  return solver.holds() ? Verdict::Holds : Verdict::Fails;
}

class MuEngine : public OneByOneEngine {
 protected:
  Verdict check_formula(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
                        Env& env, base::LimitGuard& guard, Result& result) override {
    return decide(model, from_ctl(pool, formula), env, guard, result);
  }
};

}  // namespace

std::unique_ptr<Engine> make_mu() {
  return std::make_unique<MuEngine>();
}

Result check_mu(const model::Rsm& model, const logic::MuFormula& formula, Env& env) {
  Result result = check_one(env, [&](base::LimitGuard& guard, Result& checked) {
    return decide(model, formula, env, guard, checked);
  });
  result.engine = kId;
  return result;
}

}  // namespace nestor::engine::mu
