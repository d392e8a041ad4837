#include "session/session.h"

#include "base/error.h"
#include "logic/infinite_paths.h"
#include "logic/normal_form.h"
#include "session/atoms.h"
#include "session/on_the_fly.h"
#include "session/warnings.h"
#include "session/within_limits.h"

#include <algorithm>
#include <utility>

namespace nestor::session {

Session::Session(Settings settings)
    : Session(std::move(settings), std::make_shared<logic::FormulaPool>(format::atom_dialects())) {}

Session::Session(Settings settings, std::shared_ptr<logic::FormulaPool> pool)
    : settings_(std::move(settings)), shared_pool_(std::move(pool)) {
  if (!settings_.engine.empty()) {
    engine_info_ = &engine::find_engine(settings_.engine);
  }
}

std::size_t Session::ask(logic::ModelProperty property) {
  const logic::FormulaId formula = property.formula.formula;
  if (subject_ == nullptr || subject_->states() == nullptr || has_known_atoms(formula)) {
    add_without_steps(std::move(property));
    return questions_.size() - 1;
  }
  refuse_senseless_atoms(*subject_->states(), pool_, property.formula);
  add(std::move(property));
  if (formula.valid() && !has_atoms_of_steps(*subject_->states(), pool_, formula)) {
    known_atoms_.resize(pool_.size());
    for (const logic::FormulaId f : logic::subformulas(pool_, formula)) {
      known_atoms_[f.value()] = pool_[f].op == logic::Op::Atom;
    }
  }
  return questions_.size() - 1;
}

void Session::add_without_steps(logic::ModelProperty property) {
  questions_.push_back({.formula = std::move(property.formula),
                        .machine = property.model,
                        .unsupported = std::move(property.unsupported),
                        .all_paths = property.all_paths,
                        .distance = std::move(property.distance),
                        .mu = std::move(property.mu)});
}

void Session::add(logic::ModelProperty property) {
  add_without_steps(std::move(property));
  if (subject_ != nullptr && subject_->states() != nullptr) {
    give_steps(questions_.back());
  }
}

bool Session::has_known_atoms(logic::FormulaId formula) const {
  return formula.valid() &&
         std::ranges::all_of(logic::subformulas(pool_, formula), [&](logic::FormulaId f) {
           return pool_[f].op != logic::Op::Atom ||
                  (f.value() < known_atoms_.size() && known_atoms_[f.value()]);
         });
}

void Session::give_steps(Question& question) {
  const logic::FormulaId formula = question.formula.formula;
  if (!formula.valid() || !has_atoms_of_steps(*subject_->states(), pool_, formula)) {
    return;
  }
  // What simplifying drops, certificates do not name either.
  std::shared_ptr<Subject> subject = subject_->with_steps(atoms_of(
      pool_, pool_.is_ctl(formula) ? logic::existential_normal_form(pool_, formula) : formula));
  if (subject == nullptr) {
    return;
  }
  if (subject_->dead_ends() == model::DeadEnds::Loop) {
    // A loop that was added would keep its inputs.
    question.unsupported = "inputs and --dead-ends=loop do not go together";
    question.formula.formula = logic::FormulaId();
    return;
  }
  question.steps.reset(new Session(settings_, shared_pool_));
  question.steps->about(std::move(subject));
  // Added when the model is there, so that its atoms are not looked at again: those that
  // simplifying drops are none of the pairs'.
  question.steps->questions_.push_back(
      {.formula = question.formula, .all_paths = question.all_paths});
}

bool Session::is_about_steps_only() const {
  return !questions_.empty() &&
         std::ranges::all_of(questions_, [](const Question& q) { return q.steps != nullptr; });
}

std::size_t Session::ask(std::string_view text) {
  const base::SourceLocation where{"<formula>", 1, 1};
  return ask(
      logic::NamedFormula{logic::parse_formula(pool_, text, where), "", std::string(text), where});
}

void Session::about(Subject subject) {
  about(std::make_shared<Subject>(std::move(subject)));
  for (const logic::ModelProperty& property : subject_->properties()) {
    add(property);
  }
}

void Session::about(std::shared_ptr<Subject> subject) {
  NESTOR_CHECK(subject_ == nullptr);
  subject->forget_limits();
  subject_ = std::move(subject);
  spent_ = subject_->read_seconds();
  if (subject_->states() != nullptr) {
    for (Question& question : questions_) {
      if (question.mu == nullptr) {
        refuse_senseless_atoms(*subject_->states(), pool_, question.formula);
        give_steps(question);
      }
    }
  }
}

const engine::EngineInfo& Session::engine() {
  if (engine_info_ == nullptr) {
    // The engine for models without calls only if all machines of the file are such.
    bool is_finite = true;
    for (std::size_t m = 0; m < subject_->machine_count(); ++m) {
      is_finite = is_finite && subject_->machine(m).box_count() == 0;
    }
    engine_info_ = is_finite ? &engine::finite_engine() : &engine::default_engine();
  }
  if (engine_ == nullptr) {
    engine_ = engine_info_->make();
  }
  return *engine_info_;
}

engine::Env Session::make_env() {
  engine::Env env;
  env.limits = settings_.limits;
  env.jobs = settings_.jobs;
  env.seed = settings_.seed;
  env.choice = settings_.choice;
  env.may_switch = settings_.may_switch;
  env.statistics = &statistics_;
  return env;
}

std::string Session::prepare(const std::vector<std::string>& atoms) {
  if (subject_->states() == nullptr || !subject_->unexplored().empty()) {
    return subject_->unexplored();
  }
  return within_limits([&] { subject_->explore(atoms, settings_, &statistics_); });
}

std::vector<std::string> Session::warnings() {
  std::vector<std::string> warnings =
      std::exchange(has_warned_, true) ? std::vector<std::string>() : subject_->warnings();
  if (is_about_steps_only()) {
    const std::vector<std::string> more = questions_.front().steps->warnings();
    warnings.insert(warnings.end(), more.begin(), more.end());
    return warnings;
  }
  if (begins_on_the_fly()) {
    begin_exploring(atoms_of(pool_));
  } else if (subject_->states() != nullptr && !decides_on_the_fly()) {
    prepare(atoms_of(pool_));
  }
  const std::vector<std::string> more = later_warnings();
  warnings.insert(warnings.end(), more.begin(), more.end());
  return warnings;
}

std::vector<std::string> Session::later_warnings() {
  if (is_about_steps_only()) {
    return questions_.front().steps->later_warnings();
  }
  if (!subject_->has_machine() || std::exchange(has_warned_of_machine_, true)) {
    return {};
  }
  std::vector<std::string> names = atoms_of(pool_);
  if (subject_->states() != nullptr) {
    std::erase_if(names,
                  [&](const std::string& name) { return is_of_steps(*subject_->states(), name); });
  }
  for (const Question& question : questions_) {
    if (question.mu != nullptr) {
      const std::vector<std::string> more = logic::propositions_of(*question.mu);
      names.insert(names.end(), more.begin(), more.end());
    }
  }
  return warnings_of(*subject_, names);
}

logic::FormulaId Session::asked(std::size_t question) {
  const Question& q = questions_[question];
  if (q.steps != nullptr) {
    return q.steps->asked(0);
  }
  const bool may_end = subject_->has_machine()
                           ? subject_->has_uncounted_dead_ends(q.machine)
                           : subject_->dead_ends() == model::DeadEnds::Infinite && !is_fair();
  return may_end && !q.all_paths && q.formula.formula.valid()
             ? logic::on_infinite_paths(pool_, q.formula.formula)
             : q.formula.formula;
}

bool Session::is_fair() const {
  return subject_->fairness().constraints > 0 ||
         (subject_->states() != nullptr && subject_->states()->mark_count() > 0);
}

const model::Fairness* Session::fairness(std::size_t question) const {
  if (questions_[question].steps != nullptr) {
    return questions_[question].steps->fairness(0);
  }
  return questions_[question].all_paths || subject_->fairness().constraints == 0
             ? nullptr
             : &subject_->fairness();
}

}  // namespace nestor::session
