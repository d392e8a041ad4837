#include "session/session.h"

#include "base/error.h"
#include "check/replay.h"
#include "engine/mu/mu.h"
#include "explain/certificate.h"
#include "explain/extract.h"
#include "logic/infinite_paths.h"
#include "session/atoms.h"
#include "session/distance.h"
#include "session/on_the_fly.h"
#include "session/warnings.h"

#include <algorithm>
#include <new>
#include <utility>

namespace nestor::session {

namespace {

constexpr const char* kNotCtl = "evidence and proofs are for formulas of CTL";
constexpr const char* kNoEvidenceForMu =
    "evidence and proofs are for formulas of CTL, this is one of the mu-calculus";
constexpr const char* kNotExplored = "the verdict was found without exploring the whole model";
// Labellings are kept for the next question about a formula; a thousand of a large program's are
// more than a machine has memory.
constexpr std::size_t kMostBytesKept = std::size_t{256} << 20;

/// Of the normal form that was labelled: simplifying may have dropped some of the formula's.
std::vector<std::string> atoms_labelled(const logic::FormulaPool& pool,
                                        const explain::Labelling& labelling) {
  return atoms_of(pool, labelling.subformulas.back());
}

/// Runs `work`. Empty, or the limit that was reached.
template <class Work>
std::string within_limits(Work work) {
  std::string reason;
  try {
    work();
    return reason;
  } catch (const base::LimitReached& limit) {
    reason = limit.reason;
  } catch (const std::bad_alloc&) {
    reason = "out of memory";
  }
  base::release_free_memory();
  return reason;
}

engine::Result unknown(std::string reason) {
  engine::Result result;
  result.reason = std::move(reason);
  return result;
}

}  // namespace

Session::Session(Settings settings) : settings_(std::move(settings)) {
  if (!settings_.engine.empty()) {
    engine_info_ = &engine::find_engine(settings_.engine);
  }
}

std::size_t Session::ask(logic::ModelProperty property) {
  if (subject_ != nullptr && subject_->states() != nullptr && property.formula.formula.valid()) {
    refuse_senseless_atoms(*subject_->states(), pool_, {&property.formula, 1});
  }
  questions_.push_back(
      {.formula = std::move(property.formula),
       .machine = property.model,
       .unsupported = property.mu != nullptr ? kNoEvidenceForMu : std::move(property.unsupported),
       .all_paths = property.all_paths,
       .distance = std::move(property.distance),
       .mu = std::move(property.mu)});
  return questions_.size() - 1;
}

std::size_t Session::ask(std::string_view text) {
  const base::SourceLocation where{"<formula>", 1, 1};
  return ask(
      logic::NamedFormula{logic::parse_formula(pool_, text, where), "", std::string(text), where});
}

void Session::about(Subject subject) {
  about(std::make_shared<Subject>(std::move(subject)));
  for (const logic::ModelProperty& property : subject_->properties()) {
    questions_.push_back(
        {.formula = property.formula,
         .machine = property.model,
         .unsupported = property.mu != nullptr ? kNoEvidenceForMu : property.unsupported,
         .all_paths = property.all_paths,
         .distance = property.distance,
         .mu = property.mu});
  }
}

void Session::about(std::shared_ptr<Subject> subject) {
  NESTOR_CHECK(subject_ == nullptr);
  subject->forget_limits();
  if (subject->states() != nullptr) {
    for (const Question& question : questions_) {
      if (question.mu == nullptr) {
        refuse_senseless_atoms(*subject->states(), pool_, {&question.formula, 1});
      }
    }
  }
  subject_ = std::move(subject);
  spent_ = subject_->read_seconds();
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
  env.statistics = &statistics_;
  return env;
}

bool Session::needs_machine() const {
  return std::any_of(questions_.begin(), questions_.end(), [](const Question& question) {
    return !question.result && question.mu != nullptr;
  });
}

bool Session::decides_on_the_fly() {
  engine();
  return !needs_machine() && subject_->states() != nullptr && !subject_->has_machine() &&
         engine_->works_on_the_fly() && !settings_.wants_evidence;
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
    if (!questions_[q].result && formula.valid() && pool_.is_ctl(formula) &&
        !questions_[q].distance) {
      questions.push_back(q);
      formulas.push_back(asked(q));
    }
  }
  if (subject_->simplifier() == nullptr) {
    look_near(questions);
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
}

void Session::look_near(const std::vector<std::size_t>& questions) {
  if (!subject_->is_exploring()) {
    return;  // a limit was reached
  }
  std::vector<std::size_t> looked_for;
  std::vector<logic::FormulaId> formulas;
  for (const std::size_t q : questions) {
    if (!is_fair() || questions_[q].all_paths || is_state_formula(pool_, asked(q))) {
      looked_for.push_back(q);
      formulas.push_back(asked(q));
    }
  }
  const std::vector<engine::Result> results =
      OnTheFly::look_near(*subject_, settings_, pool_, formulas);
  for (std::size_t i = 0; i < looked_for.size(); ++i) {
    // What fails in an initial state need not fail in one from which a fair path leads.
    const bool counts = !is_fair() || questions_[looked_for[i]].all_paths ||
                        results[i].verdict == engine::Verdict::Holds;
    if (results[i].verdict != engine::Verdict::Unknown && counts) {
      questions_[looked_for[i]].result = results[i];
    }
  }
}

std::string Session::prepare(const std::vector<std::string>& atoms) {
  if (subject_->states() == nullptr || !subject_->unexplored().empty()) {
    return subject_->unexplored();
  }
  return within_limits([&] { subject_->explore(atoms, settings_, &statistics_); });
}

bool Session::was_not_explored(std::size_t question) const {
  const std::optional<engine::Result>& result = questions_[question].result;
  return settings_.wants_evidence && result && !result->how.empty() && !subject_->has_machine();
}

std::string Session::prepare(std::size_t question) {
  const logic::FormulaId formula = questions_[question].formula.formula;
  if (questions_[question].distance) {
    return "a number has no evidence";
  }
  return formula.valid() ? prepare(atoms_of(pool_, formula)) : questions_[question].unsupported;
}

std::vector<std::string> Session::warnings() {
  std::vector<std::string> warnings =
      std::exchange(has_warned_, true) ? std::vector<std::string>() : subject_->warnings();
  if (begins_on_the_fly()) {
    begin_exploring(atoms_of(pool_));
  } else if (!decides_on_the_fly()) {
    prepare(atoms_of(pool_));
  }
  const std::vector<std::string> more = later_warnings();
  warnings.insert(warnings.end(), more.begin(), more.end());
  return warnings;
}

std::vector<std::string> Session::later_warnings() {
  if (!subject_->has_machine() || std::exchange(has_warned_of_machine_, true)) {
    return {};
  }
  std::vector<std::string> names = atoms_of(pool_);
  for (const Question& question : questions_) {
    if (question.mu != nullptr) {
      const std::vector<std::string> more = logic::propositions_of(*question.mu);
      names.insert(names.end(), more.begin(), more.end());
    }
  }
  return warnings_of(*subject_, names);
}

const engine::Result& Session::verdict(std::size_t question) {
  if (!questions_[question].result) {
    decide();
  }
  return *questions_[question].result;
}

std::vector<std::string> Session::atoms_asked() const {
  std::vector<std::string> atoms;
  for (const Question& question : questions_) {
    if (!question.result && (question.formula.formula.valid() || question.mu != nullptr)) {
      const std::vector<std::string> more = question.mu != nullptr
                                                ? logic::propositions_of(*question.mu)
                                                : atoms_of(pool_, question.formula.formula);
      atoms.insert(atoms.end(), more.begin(), more.end());
    }
  }
  std::sort(atoms.begin(), atoms.end());
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  return atoms;
}

void Session::decide() {
  const std::vector<std::string> atoms = atoms_asked();
  if (begins_on_the_fly()) {
    decide_on_the_fly(atoms);
    const bool needs_all = std::ranges::any_of(questions_, [&](const Question& question) {
      const logic::FormulaId formula = question.formula.formula;
      return !question.result && formula.valid() && !pool_.is_ctl(formula);
    });
    if (!subject_->has_machine() && subject_->simplifier() != nullptr && !needs_all) {
      for (Question& question : questions_) {
        if (!question.result) {
          question.result = unknown(question.unsupported);
        }
      }
      return;
    }
  }
  const bool is_any_open = std::ranges::any_of(questions_, [](const Question& question) {
    return !question.result && (question.formula.formula.valid() || question.mu != nullptr);
  });
  const std::string unexplored =
      decides_on_the_fly() || !is_any_open ? std::string() : prepare(atoms);
  // A file may have several machines; formulas that are not the file's speak of the first one.
  // Of each, questions about all paths come after the others.
  std::vector<std::vector<std::size_t>> together(
      2 * std::max<std::size_t>(1, subject_->machine_count()));
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    Question& question = questions_[q];
    if (question.result) {
      continue;
    }
    if (!unexplored.empty()) {
      question.result = unknown(unexplored);
    } else if (question.mu != nullptr) {
      question.result = run_mu(subject_->machine(question.machine), *question.mu);
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

logic::FormulaId Session::asked(std::size_t question) {
  const Question& q = questions_[question];
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
  return questions_[question].all_paths || subject_->fairness().constraints == 0
             ? nullptr
             : &subject_->fairness();
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

engine::Result Session::run_mu(const model::Rsm& machine, const logic::MuFormula& formula) {
  if (is_fair()) {
    return unknown("the mu-calculus is not decided under fairness constraints");
  }
  engine::Env env = make_env();
  return engine::mu::check_mu(machine, formula, env);
}

const Session::Labelled& Session::labelled(std::size_t question) {
  const auto known = std::ranges::find(labellings_, question, &Labelled::question);
  if (known != labellings_.end()) {
    labellings_.splice(labellings_.begin(), labellings_, known);
    return labellings_.front();
  }
  if (settings_.limits.megabytes) {
    labellings_.clear();  // what is kept must not count against what is asked next
  }
  engine();
  Labelled found{question, engine_info_->id, nullptr};
  const logic::FormulaId formula = asked(question);
  const base::Stopwatch watch;
  engine::Env env = make_env();
  std::optional<explain::Labelling> labelling;
  if (engine_->cannot_handle({machine(question), pool_, {&formula, 1}}).empty()) {
    labelling = engine_->label(machine(question), pool_, formula, env);
  }
  if (!labelling) {
    // The engine knows no more than its verdict: the default engine finds the values.
    found.engine = engine::default_engine().id;
    labelling = engine::default_engine().make()->label(machine(question), pool_, formula, env);
  }
  NESTOR_CHECK(labelling.has_value());
  // Two ways to the same answer, for engines that label another way than they check.
  const std::optional<engine::Result>& result = questions_[question].result;
  NESTOR_CHECK(!result || result->verdict == engine::Verdict::Unknown ||
               explain::holds(machine(question), *labelling) ==
                   (result->verdict == engine::Verdict::Holds));
  found.labelling = std::make_shared<const explain::Labelling>(std::move(*labelling));
  statistics_.add("label.formulas", 1);
  statistics_.add_seconds("label.seconds", watch.seconds());
  labellings_.push_front(std::move(found));
  std::size_t bytes = 0;
  for (auto kept = labellings_.begin(); kept != labellings_.end();) {
    bytes += kept->labelling->memory_bytes();
    const bool fits = kept == labellings_.begin() || bytes <= kMostBytesKept;
    kept = fits ? std::next(kept) : labellings_.erase(kept);
  }
  return labellings_.front();
}

Answer<explain::Labelling> Session::labelling(std::size_t question) {
  Answer<explain::Labelling> answer;
  answer.reason = prepare(question);
  if (answer.reason.empty() && fairness(question) != nullptr) {
    answer.reason = "the model has fairness constraints";
  }
  if (answer.reason.empty() && !pool_.is_ctl(questions_[question].formula.formula)) {
    answer.reason = kNotCtl;
  }
  if (answer.reason.empty()) {
    answer.reason = within_limits([&] { answer.value = labelled(question).labelling; });
  }
  return answer;
}

std::optional<witness::Witness> Session::find_witness(std::size_t question) {
  const model::Rsm& model = machine(question);
  const logic::FormulaId formula = asked(question);
  const bool is_held = questions_[question].result->verdict == engine::Verdict::Holds;
  std::optional<witness::Witness> own;
  if (fairness(question) == nullptr) {
    own = explain::witness_without_values(model, pool_, formula, is_held);
  }
  if (!own) {
    engine::Env env = make_env();
    own = engine_->explain({model, pool_, formula, is_held, fairness(question)}, env);
  }
  if (own) {
    own->engine = engine_info_->id;
    return own;
  }
  if (fairness(question) != nullptr) {
    return std::nullopt;  // values do not tell which paths are fair
  }
  const Labelled& values = labelled(question);
  return explain::extract_witness(model, pool_, formula, is_held, *values.labelling,
                                  std::string(values.engine), settings_.limits);
}

Answer<witness::Witness> Session::witness(std::size_t question) {
  Answer<witness::Witness> answer;
  if (const engine::Result& result = verdict(question);
      result.verdict == engine::Verdict::Unknown) {
    answer.reason = result.reason;
    return answer;
  }
  answer.reason = was_not_explored(question) ? kNotExplored : prepare(question);
  if (answer.reason.empty() && subject_->is_empty()) {
    answer.reason = "the model has no initial state";
  }
  if (answer.reason.empty() && !pool_.is_ctl(questions_[question].formula.formula)) {
    answer.reason = kNotCtl;
  }
  if (!answer.reason.empty()) {
    return answer;
  }
  answer.reason = within_limits([&] {
    std::optional<witness::Witness> found = find_witness(question);
    if (!found) {
      return;
    }
    auto witness = std::make_shared<witness::Witness>(std::move(*found));
    // What is shown is right or not shown at all. Claims about all paths are left to `nestor
    // replay`.
    NESTOR_CHECK(check::replay(machine(question), pool_, asked(question), *witness, nullptr,
                               fairness(question))
                     .outcome != check::Replay::Outcome::Rejected);
    answer.value = std::move(witness);
  });
  if (!answer && answer.reason.empty()) {
    answer.reason = "the engine shows no fair paths";
  }
  return answer;
}

std::string Session::not_certifiable(std::size_t question) {
  if (verdict(question).verdict == engine::Verdict::Unknown) {
    return "the verdict is unknown";
  }
  if (questions_[question].distance) {
    return "a number has no evidence";
  }
  if (questions_[question].mu != nullptr) {
    return kNoEvidenceForMu;
  }
  if (was_not_explored(question)) {
    return kNotExplored;
  }
  if (!pool_.is_ctl(questions_[question].formula.formula)) {
    return kNotCtl;
  }
  if (is_fair() && !questions_[question].all_paths) {
    return "the model has fairness constraints";
  }
  if (questions_[question].machine != 0) {
    return "the formula speaks of another model of the file; convert that to RSM JSON";
  }
  return {};
}

std::string Session::certificate(std::size_t question,
                                 const std::function<void(std::string_view)>& write) {
  std::string reason = not_certifiable(question);
  if (reason.empty()) {
    reason = prepare(question);
  }
  if (reason.empty()) {
    reason = within_limits([&] {
      const Labelled& values = labelled(question);
      const std::string hash = subject_->sha256(atoms_labelled(pool_, *values.labelling));
      base::LimitGuard guard(settings_.limits);
      explain::write_certificate(machine(question), pool_, *values.labelling, hash, guard, write);
    });
  }
  return reason;
}

}  // namespace nestor::session
