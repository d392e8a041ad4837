#pragma once

#include "base/limits.h"
#include "base/statistics.h"
#include "explain/check_order.h"
#include "explain/labelling.h"
#include "logic/formula.h"
#include "model/builder.h"
#include "model/fairness.h"
#include "model/rsm.h"
#include "model/state_space.h"
#include "model/successor_function.h"
#include "witness/witness.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <nestor/settings.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::engine {

using nestor::Choice;
using nestor::Result;
using nestor::to_string;
using nestor::Verdict;

/// The question: does every initial state of `model` satisfy `formulas[i]`, for each i?
/// The formulas are as the user wrote them; an engine brings them into the form that it works on.
struct Task {
  const model::Rsm& model;
  logic::FormulaPool& pool;  ///< grows by normal forms
  std::span<const logic::FormulaId> formulas;
  /// Null, or which paths count. Only for engines that handle fairness.
  const model::Fairness* fairness = nullptr;

  bool is_fair() const { return fairness != nullptr && fairness->constraints > 0; }
};

/// The same question of a model whose states are found while it is being decided.
struct StatesTask {
  model::SuccessorFunction& states;
  model::DeadEnds dead_ends = model::DeadEnds::Keep;
  logic::FormulaPool& pool;
  std::span<const logic::FormulaId> formulas;
};

/// The question why: `formula`, as the user wrote it, holds in every initial state of `model` that
/// counts, or fails in one.
struct ExplainTask {
  const model::Rsm& model;
  logic::FormulaPool& pool;  ///< grows by normal forms
  logic::FormulaId formula;
  bool holds = true;
  const model::Fairness* fairness = nullptr;  ///< as in Task
};

/// What engines take from outside. Engines read no global state and print nothing.
struct Env {
  base::Limits limits;          ///< for each formula
  unsigned jobs = 1;            ///< threads an engine may use
  std::uint64_t seed = 1;       ///< for engines that choose at random
  Choice choice = Choice::All;  ///< of the lazy strategy
  bool may_switch = true;       ///< Settings::may_switch
  base::Statistics* statistics = nullptr;
  /// Called after each formula or batch with the number of formulas answered so far.
  std::function<void(std::size_t done)> progress;
};

class Engine {
 public:
  virtual ~Engine() = default;
  /// Empty if this engine can decide the task, else the reason why not.
  virtual std::string cannot_handle(const Task& task) const = 0;
  /// False: must not be given a task with fairness constraints.
  virtual bool handles_fairness() const { return false; }
  /// One result a formula, in the order of the task. Formulas do not influence each other.
  virtual std::vector<Result> check(const Task& task, Env& env) = 0;
  /// True if this engine can decide a StatesTask.
  virtual bool works_on_the_fly() const { return false; }
  /// True if this engine can decide a StatesTask with these formulas: with any if it works on the
  /// fly.
  virtual bool decides_on_the_fly(const logic::FormulaPool& /*pool*/,
                                  std::span<const logic::FormulaId> /*formulas*/) const {
    return works_on_the_fly();
  }
  virtual std::vector<Result> check_on_the_fly(const StatesTask& task, Env& env);
  /// All values of one formula, as the user wrote it, for whoever wants to prove or show its
  /// verdict: of the subformulas of its existential normal form. Nothing if this engine does not
  /// know them: ask another one. May throw LimitReached.
  virtual std::optional<explain::Labelling> label(const model::Rsm& model, logic::FormulaPool& pool,
                                                  logic::FormulaId formula, Env& env);
  /// The same of the first of these formulas, and at little more cost of those others that an
  /// engine can label beside it; the rest have nothing.
  virtual std::vector<std::optional<explain::Labelling>> label_together(
      const model::Rsm& model, logic::FormulaPool& pool, std::span<const logic::FormulaId> formulas,
      Env& env);
  /// The local checks that give the values of one formula, in their order, for engines that make
  /// such. May throw LimitReached.
  virtual std::optional<explain::CheckOrder> check_order(const model::Rsm& model,
                                                         logic::FormulaPool& pool,
                                                         logic::FormulaId formula, Env& env);
  /// The engine's own evidence for its verdict, for engines that find paths themselves and for
  /// tasks with fairness. Nothing if it has none: then the evidence is read off the values. May
  /// throw LimitReached.
  virtual std::optional<witness::Witness> explain(const ExplainTask& task, Env& env);
  /// Writes a proof of the verdict of its own, for engines whose verdicts do not follow from values
  /// alone: a certificate (docs/certificates.md), for a model with the given SHA-256. False if this
  /// engine has none. Without fairness. May throw LimitReached.
  virtual bool certify(const ExplainTask& task, std::string_view model_hash, Env& env,
                       const std::function<void(std::string_view)>& write);
};

/// An engine that answers one formula at a time. Its limits begin anew for each.
class OneByOneEngine : public Engine {
 public:
  std::string cannot_handle(const Task& task) const override;
  std::vector<Result> check(const Task& task, Env& env) final;
  std::vector<Result> check_on_the_fly(const StatesTask& task, Env& env) final;

 protected:
  /// May throw LimitReached from `guard`; sets `result.contexts` as it goes.
  virtual Verdict check_formula(const model::Rsm& model, logic::FormulaPool& pool,
                                logic::FormulaId formula, Env& env, base::LimitGuard& guard,
                                Result& result) = 0;
  /// The same for engines that handle fairness.
  virtual Verdict check_task(const Task& task, logic::FormulaId formula, Env& env,
                             base::LimitGuard& guard, Result& result);
  /// The same for engines that work on the fly. `space` keeps what earlier formulas have found.
  virtual Verdict check_formula_on_the_fly(model::StateSpace& space, logic::FormulaPool& pool,
                                           logic::FormulaId formula, Env& env,
                                           base::LimitGuard& guard, Result& result);

 private:
  template <class CheckFormula>
  std::vector<Result> one_by_one(std::span<const logic::FormulaId> formulas, Env& env,
                                 CheckFormula check_formula);
};

/// One check within the limits of `env`, timed. Unknown if it throws LimitReached or lacks memory.
Result check_one(Env& env, const std::function<Verdict(base::LimitGuard&, Result&)>& check);

}  // namespace nestor::engine
