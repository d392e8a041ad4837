// What is true of the steps between states: conditions on inputs, the next state, who runs.

#include "smv/states/step_states.h"

namespace nestor::smv {

bool States::is_of_steps(std::string_view atom) {
  return !find_proposition(atom).number && step_terms_.contains(std::string(atom));
}

std::shared_ptr<model::SuccessorFunction> States::with_steps(std::span<const std::string> atoms) {
  return std::make_shared<StepStates>(shared_from_this(), atoms);
}

States::StepCondition States::step_condition(const std::string& atom) {
  const StepTerm step = step_terms_.at(atom);
  StepCondition condition{atom, step.is_own, model().terms[step.term].reads_next};
  for (std::size_t p = 0; p < model().processes.size(); ++p) {
    condition.entries.push_back(compiler_->value(step.term, {false, static_cast<std::int64_t>(p)}));
  }
  machine_->take_new_code();
  return condition;
}

void States::visit(const Plan& plan, std::size_t process, bool is_step,
                   std::span<const StepCondition> conditions, model::StateSink& sink,
                   const VisitStep& visit_step) {
  class Evaluation final : public model::StateSink {
   public:
    Evaluation(States& states, std::size_t process, bool is_step,
               std::span<const StepCondition> conditions, model::StateSink& outer,
               const VisitStep& visit_step)
        : states_(states),
          process_(process),
          is_step_(is_step),
          conditions_(conditions),
          outer_(outer),
          visit_(visit_step) {}

    void add(base::StateView to, std::uint32_t marks) override {
      truths_.clear();
      for (const StepCondition& condition : conditions_) {
        try {
          truths_.push_back((is_step_ || !condition.reads_next) &&
                            states_.machine_->holds(condition.entries[process_]));
        } catch (const EvaluationFailed& failed) {
          states_.refuse(failed, condition.is_own ? std::string() : condition.atom);
        }
      }
      visit_(to, marks, truths_);
    }
    void tick() override { outer_.tick(); }

   private:
    States& states_;
    std::size_t process_;
    bool is_step_;
    std::span<const StepCondition> conditions_;
    model::StateSink& outer_;
    const VisitStep& visit_;
    std::vector<bool> truths_;
  };
  Evaluation evaluation(*this, process, is_step, conditions, sink, visit_step);
  try {
    run(plan, evaluation);
  } catch (const EvaluationFailed& failed) {
    refuse(failed);
  }
}

void States::visit_steps(base::StateView state, std::span<const StepCondition> conditions,
                         model::StateSink& sink, const VisitStep& visit_step) {
  load(state);
  has_current_ = true;
  for (std::size_t p = 0; p < model().processes.size(); ++p) {
    visit(plans_[p + 1], p, true, conditions, sink, visit_step);
  }
}

void States::visit_inputs(base::StateView state, std::span<const StepCondition> conditions,
                          model::StateSink& sink, const VisitStep& visit_step) {
  load(state);
  has_current_ = true;
  for (std::size_t p = 0; p < model().processes.size(); ++p) {
    Plan inputs;  // inputs are chosen before all else
    for (const PlanStep& step : plans_[p + 1].steps) {
      if (!step.input) {
        break;
      }
      inputs.steps.push_back(step);
    }
    visit(inputs, p, false, conditions, sink, visit_step);
  }
}

}  // namespace nestor::smv
