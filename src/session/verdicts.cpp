// Verdicts of a session: which questions are decided together, by what.

#include "engine/mu/mu.h"
#include "logic/infinite_paths.h"
#include "session/atoms.h"
#include "session/distance.h"
#include "session/on_the_fly.h"
#include "session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace nestor::session {

namespace {

engine::Result unknown(std::string reason) {
  engine::Result result;
  result.reason = std::move(reason);
  return result;
}

}  // namespace

bool Session::needs_machine() const {
  return std::any_of(questions_.begin(), questions_.end(), [](const Question& question) {
    return question.is_open() && question.mu != nullptr;
  });
}

bool Session::decides_on_the_fly() {
  engine();
  if (needs_machine() || subject_->states() == nullptr || subject_->has_machine() ||
      settings_.wants_evidence) {
    return false;
  }
  std::vector<logic::FormulaId> formulas;
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    if (questions_[q].is_open() && questions_[q].distance) {
      return false;  // is measured on all states
    }
    if (questions_[q].is_open() && questions_[q].formula.formula.valid()) {
      formulas.push_back(asked(q));
    }
  }
  return engine_->decides_on_the_fly(pool_, formulas);
}

bool Session::begins_on_the_fly() {
  const model::DeadEnds dead_ends = subject_->dead_ends();
  return !needs_machine() && settings_.engine.empty() && subject_->states() != nullptr &&
         !subject_->has_machine() &&
         (dead_ends == model::DeadEnds::Keep || dead_ends == model::DeadEnds::Infinite) &&
         (subject_->simplifier() != nullptr || !settings_.wants_evidence);
}

void Session::begin_exploring(const std::vector<std::string>& atoms) {
  if (!subject_->is_exploring() && subject_->unexplored().empty()) {
    const base::Stopwatch watch;
    OnTheFly::explore_a_bit(*subject_, atoms, settings_, statistics_);
    spent_ += watch.seconds();
  }
}

void Session::decide_on_the_fly(const std::vector<std::string>& atoms) {
  begin_exploring(atoms);
  if (subject_->has_machine()) {
    return;
  }
  std::vector<std::size_t> questions;
  std::vector<logic::FormulaId> formulas;
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    const logic::FormulaId formula = questions_[q].formula.formula;
    if (questions_[q].is_open() && formula.valid() && pool_.is_ctl(formula) &&
        !questions_[q].distance) {
      questions.push_back(q);
      formulas.push_back(asked(q));
    }
  }
  if (subject_->simplifier() == nullptr) {
    search_as_they_are(questions, atoms);
    look_for_loops(atoms);
    return;
  }
  OnTheFly on_the_fly(settings_, *subject_, pool_, statistics_, std::exchange(spent_, 0));
  std::vector<engine::Result> results = on_the_fly.decide(formulas, atoms);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    // What is unknown is left to labelling, if there is something to label.
    if (results[i].verdict != engine::Verdict::Unknown || !subject_->has_machine()) {
      questions_[questions[i]].result = std::move(results[i]);
    }
  }
  look_for_loops(atoms);
}

/// Formulas beyond CTL. What is unknown is left to others.
void Session::look_for_loops(const std::vector<std::string>& atoms) {
  std::vector<std::size_t> questions;
  std::vector<logic::FormulaId> formulas;
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    const Question& question = questions_[q];
    if (question.is_open() && question.formula.formula.valid() && !question.distance &&
        !question.all_paths && !pool_.is_ctl(question.formula.formula)) {
      questions.push_back(q);
      formulas.push_back(asked(q));
    }
  }
  if (questions.empty() || subject_->has_machine()) {
    return;
  }
  OnTheFly on_the_fly(settings_, *subject_, pool_, statistics_, std::exchange(spent_, 0));
  std::vector<engine::Result> results = on_the_fly.decide_paths(pool_, formulas, atoms);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (results[i].verdict != engine::Verdict::Unknown) {
      questions_[questions[i]].result = std::move(results[i]);
    }
  }
}

void Session::search_as_they_are(const std::vector<std::size_t>& questions,
                                 const std::vector<std::string>& atoms) {
  if (!subject_->is_exploring()) {
    return;  // a limit was reached
  }
  std::vector<std::size_t> looked_for;
  std::vector<logic::FormulaId> formulas;
  for (const std::size_t q : questions) {
    if (!is_fair() || questions_[q].all_paths || pool_.is_propositional(asked(q))) {
      looked_for.push_back(q);
      formulas.push_back(asked(q));
    }
  }
  OnTheFly on_the_fly(settings_, *subject_, pool_, statistics_, std::exchange(spent_, 0));
  const std::vector<engine::Result> results = on_the_fly.decide_as_they_are(pool_, formulas, atoms);
  for (std::size_t i = 0; i < looked_for.size(); ++i) {
    // What fails in an initial state need not fail in one from which a fair path leads.
    const bool counts = !is_fair() || questions_[looked_for[i]].all_paths ||
                        results[i].verdict == engine::Verdict::Holds;
    const bool is_known = results[i].verdict != engine::Verdict::Unknown && counts;
    if (is_known || (on_the_fly.is_over() && !subject_->has_machine())) {
      questions_[looked_for[i]].result = is_known ? results[i] : unknown(results[i].reason);
    }
  }
}

const engine::Result& Session::verdict(std::size_t question) {
  Question& asked_one = questions_[question];
  if (asked_one.steps != nullptr && !asked_one.result) {
    asked_one.result = asked_one.steps->verdict(0);
    statistics_.add_all(asked_one.steps->statistics());
  }
  if (!questions_[question].result) {
    decide();
  }
  return *questions_[question].result;
}

std::vector<std::string> Session::atoms_asked() const {
  std::vector<std::string> names;
  if (subject_->states() == nullptr) {
    return names;  // nothing is to be explored
  }
  std::vector<logic::FormulaId> formulas;
  for (const Question& question : questions_) {
    if (!question.is_open()) {
      continue;
    }
    if (question.mu != nullptr) {
      std::ranges::move(logic::propositions_of(*question.mu), std::back_inserter(names));
    } else if (question.formula.formula.valid()) {
      formulas.push_back(question.formula.formula);
    }
  }
  std::ranges::move(atoms_of(pool_, formulas), std::back_inserter(names));
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

void Session::decide() {
  const std::vector<std::string> atoms = atoms_asked();
  if (begins_on_the_fly()) {
    decide_on_the_fly(atoms);
    const bool needs_all = std::ranges::any_of(questions_, [&](const Question& question) {
      const logic::FormulaId formula = question.formula.formula;
      return question.is_open() && formula.valid() && !pool_.is_ctl(formula);
    });
    if (!subject_->has_machine() && subject_->simplifier() != nullptr && !needs_all) {
      for (Question& question : questions_) {
        if (question.is_open()) {
          question.result = unknown(question.unsupported);
        }
      }
      return;
    }
  }
  const bool is_any_open = std::ranges::any_of(questions_, [](const Question& question) {
    return question.is_open() && (question.formula.formula.valid() || question.mu != nullptr);
  });
  const std::string unexplored =
      decides_on_the_fly() || !is_any_open ? std::string() : prepare(atoms);
  // A file may have several machines; formulas that are not the file's speak of the first one.
  // Of each, questions about all paths come after the others.
  std::vector<std::vector<std::size_t>> together(
      2 * std::max<std::size_t>(1, subject_->machine_count()));
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    Question& question = questions_[q];
    if (!question.is_open()) {
      continue;
    }
    if (!unexplored.empty()) {
      question.result = unknown(unexplored);
    } else if (question.mu != nullptr) {
      question.result = run_mu(question.machine, *question.mu);
    } else if (!question.formula.formula.valid()) {
      question.result = unknown(question.unsupported);
    } else if (question.distance) {
      question.result = measured(*subject_, question.machine, *question.distance, settings_.limits);
    } else {
      together[2 * question.machine + (question.all_paths && is_fair() ? 1 : 0)].push_back(q);
    }
  }
  for (const std::vector<std::size_t>& questions : together) {
    if (!questions.empty()) {
      decide_together(questions);
    }
  }
}

void Session::decide_together(const std::vector<std::size_t>& questions) {
  const Question& first = questions_[questions.front()];
  std::vector<logic::FormulaId> formulas;
  for (const std::size_t q : questions) {
    formulas.push_back(asked(q));
  }
  std::vector<engine::Result> results =
      run_engine(subject_->has_machine() ? &subject_->machine(first.machine) : nullptr, formulas,
                 first.all_paths);
  NESTOR_CHECK(results.size() == formulas.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    questions_[questions[i]].result = std::move(results[i]);
  }
}

std::vector<engine::Result> Session::run_engine(const model::Rsm* machine,
                                                std::span<const logic::FormulaId> formulas,
                                                bool all_paths) {
  std::vector<logic::FormulaId> ctl;
  std::vector<logic::FormulaId> beyond;
  for (const logic::FormulaId f : formulas) {
    (pool_.is_ctl(f) ? ctl : beyond).push_back(f);
  }
  if (beyond.empty()) {
    return run_engine(*engine_, machine, formulas, all_paths);
  }
  std::vector<engine::Result> ctl_results;
  if (!ctl.empty()) {
    ctl_results = run_engine(*engine_, machine, ctl, all_paths);
  }
  engine::Engine* paths = path_engine();
  std::vector<engine::Result> beyond_results =
      paths != nullptr && machine != nullptr
          ? run_engine(*paths, machine, beyond, all_paths)
          : std::vector<engine::Result>(
                beyond.size(), unknown(fmt::format("'{}' decides CTL only, '{}' also this formula",
                                                   engine_info_->id, engine::path_engine().id)));
  std::vector<engine::Result> results;
  std::size_t next_ctl = 0;
  std::size_t next_beyond = 0;
  for (const logic::FormulaId f : formulas) {
    results.push_back(
        std::move(pool_.is_ctl(f) ? ctl_results[next_ctl++] : beyond_results[next_beyond++]));
  }
  return results;
}

/// What decides formulas that are not CTL; null if the engine that was asked for does not.
engine::Engine* Session::path_engine() {
  engine();
  if (engine_info_ == &engine::path_engine()) {
    return engine_.get();
  }
  if (path_engine_ == nullptr && settings_.engine.empty()) {
    path_engine_ = engine::path_engine().make();
  }
  return path_engine_.get();
}

std::vector<engine::Result> Session::run_engine(engine::Engine& engine, const model::Rsm* machine,
                                                std::span<const logic::FormulaId> formulas,
                                                bool all_paths) {
  const model::Fairness* fairness = all_paths ? nullptr : &subject_->fairness();
  std::string reason;
  if (machine != nullptr) {
    reason = engine.cannot_handle({*machine, pool_, formulas, fairness});
  }
  if (reason.empty() && is_fair() && !all_paths &&
      (machine == nullptr || !engine.handles_fairness())) {
    reason = "this engine does not support fairness constraints";
  }
  if (!reason.empty()) {
    return std::vector<engine::Result>(formulas.size(), unknown(reason));
  }
  engine::Env env = make_env();
  if (settings_.progress) {
    env.progress = [&](std::size_t done) {
      settings_.progress({Progress::Work::Deciding, done, formulas.size()});
    };
  }
  return machine == nullptr
             ? engine.check_on_the_fly(
                   {*subject_->states(), subject_->dead_ends(), pool_, formulas}, env)
             : engine.check({*machine, pool_, formulas, fairness}, env);
}

engine::Result Session::run_mu(std::size_t machine, const logic::MuFormula& formula) {
  if (is_fair()) {
    return unknown("the mu-calculus is not decided under fairness constraints");
  }
  engine::Env env = make_env();
  return engine::mu::check_mu(
      subject_->machine(machine),
      subject_->has_uncounted_dead_ends(machine) ? logic::on_infinite_paths(formula) : formula,
      env);
}

}  // namespace nestor::session
