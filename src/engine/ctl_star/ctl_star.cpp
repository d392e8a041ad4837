#include "engine/ctl_star/ctl_star.h"

#include "base/error.h"
#include "engine/ctl_star/certificate.h"
#include "engine/ctl_star/evaluation.h"
#include "engine/ctl_star/evidence.h"
#include "engine/ctl_star/on_the_fly.h"

namespace nestor::engine::ctl_star {

namespace {

class CtlStarEngine final : public OneByOneEngine {
 public:
  bool handles_fairness() const override { return true; }

  std::optional<witness::Witness> explain(const ExplainTask& task, Env& env) override {
    base::LimitGuard guard(env.limits);
    Evaluation evaluation(task.model, task.pool, task.fairness, guard);
    if (evaluation.holds(task.formula) != task.holds || evaluation.counted().empty()) {
      return std::nullopt;
    }
    return extract(task, evaluation);
  }

  bool certify(const ExplainTask& task, std::string_view model_hash, Env& env,
               const std::function<void(std::string_view)>& write) override {
    base::LimitGuard guard(env.limits);
    NESTOR_CHECK(write_path_certificate(task, model_hash, guard, write) == task.holds);
    return true;
  }

 private:
  Verdict check_formula(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
                        Env& env, base::LimitGuard& guard, Result& result) override {
    return check_task({model, pool, {&formula, 1}}, formula, env, guard, result);
  }

  Verdict check_task(const Task& task, logic::FormulaId formula, Env&, base::LimitGuard& guard,
                     Result& result) override {
    Evaluation evaluation(task.model, task.pool, task.fairness, guard);
    const bool holds = evaluation.holds(formula);
    result.contexts = evaluation.instance_count();
    return holds ? Verdict::Holds : Verdict::Fails;
  }

  Verdict check_formula_on_the_fly(model::StateSpace& space, logic::FormulaPool& pool,
                                   logic::FormulaId formula, Env&, base::LimitGuard& guard,
                                   Result& result) override {
    result.contexts = 1;
    return holds_on_the_fly(space, pool, formula, guard) ? Verdict::Holds : Verdict::Fails;
  }
};

}  // namespace

std::unique_ptr<Engine> make_ctl_star() {
  return std::make_unique<CtlStarEngine>();
}

}  // namespace nestor::engine::ctl_star
