#pragma once

#include "base/statistics.h"
#include "engine/engine.h"
#include "engine/registry.h"
#include "explain/labelling.h"
#include "logic/mu_formula.h"
#include "logic/parser.h"
#include "session/settings.h"
#include "session/subject.h"
#include "witness/witness.h"

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nestor::session {

/// What was asked for, or why there is none: a limit that was reached, or what the model has.
template <class T>
struct Answer {
  std::shared_ptr<const T> value;
  std::string reason;

  explicit operator bool() const { return value != nullptr; }
  const T& operator*() const { return *value; }
  const T* operator->() const { return value.get(); }
};

/// Questions about one model and their answers: verdicts, all values, evidence, proofs. Each is
/// found when it is first asked for, and once. Not for several threads at a time; different
/// sessions share nothing.
///
///     Session session({.limits = {.seconds = 10}});
///     session.ask("AG (p -> EF q)");
///     session.about(Subject::read({.path = "model.rsm"}, session.settings()));
///     if (session.verdict(0).verdict == Verdict::Fails) show(*session.witness(0));
class Session {
 public:
  /// Throws Error (Usage) for an engine that does not exist.
  explicit Session(Settings settings = {});
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Settings& settings() const { return settings_; }
  logic::FormulaPool& pool() { return pool_; }
  const logic::FormulaPool& pool() const { return pool_; }
  base::Statistics& statistics() { return statistics_; }
  const base::Statistics& statistics() const { return statistics_; }

  /// Asks whether the model satisfies a formula of pool(); also after others have been answered.
  /// The number that its answers are asked for by. Throws Error (Input) for an atom that makes no
  /// sense in the model, at the latest with the model.
  std::size_t ask(logic::NamedFormula formula) {
    return ask(logic::ModelProperty{.formula = std::move(formula), .unsupported = {}});
  }
  /// Likewise; also one that is not supported, or is about another machine of the file.
  std::size_t ask(logic::ModelProperty property);
  /// Likewise; reads the formula first.
  std::size_t ask(std::string_view text);
  std::size_t question_count() const { return questions_.size(); }
  const logic::NamedFormula& formula(std::size_t question) const {
    return questions_[question].formula;
  }

  /// The formula that engines decide and evidence is for: that of the question, or where paths that
  /// end do not count one that says so.
  logic::FormulaId asked(std::size_t question);

  /// The model that all questions are about, once. Its own properties are asked as well. Throws
  /// Error (Input) for atoms that make no sense in it.
  void about(Subject subject);
  /// A model that other sessions may be about as well, at the same time if it is not given by
  /// states. Its properties are not asked.
  void about(std::shared_ptr<Subject> subject);
  const Subject& subject() const { return *subject_; }
  Subject& subject() { return *subject_; }
  /// The model that a question is about: that of the session, or the same with what is true of its
  /// steps.
  Subject& subject(std::size_t question) {
    return questions_[question].steps == nullptr ? *subject_
                                                 : questions_[question].steps->subject();
  }
  /// The machine that a question is about.
  const model::Rsm& machine(std::size_t question) const {
    const Question& q = questions_[question];
    return q.steps == nullptr ? subject_->machine(q.machine) : q.steps->machine(0);
  }
  /// The machine that its witness is of: that, or an excerpt of what was not explored.
  const model::Rsm& witness_machine(std::size_t question) const {
    const Question& q = questions_[question];
    return q.steps != nullptr     ? q.steps->witness_machine(0)
           : q.excerpt != nullptr ? *q.excerpt
                                  : machine(question);
  }
  /// What is odd about the model and the formulas, for people. Explores the model if it will have
  /// to be.
  std::vector<std::string> warnings();
  /// Those that could not be given before, now that the model is explored.
  std::vector<std::string> later_warnings();

  /// The engine that decides.
  const engine::EngineInfo& engine();

  bool is_decided(std::size_t question) const { return questions_[question].result.has_value(); }
  /// Decides all that is asked and not decided together.
  const engine::Result& verdict(std::size_t question);
  /// The values of all subformulas everywhere. The engine's own, or the default engine's if it has
  /// none.
  Answer<explain::Labelling> labelling(std::size_t question);
  /// The local checks of the engine that decides, if it makes such.
  Answer<explain::CheckOrder> check_order(std::size_t question);
  /// Evidence for the verdict, replayed: what is rejected is an internal error.
  Answer<witness::Witness> witness(std::size_t question);
  /// Why the verdict cannot be certified, whatever the limits; empty if it can.
  std::string not_certifiable(std::size_t question);
  /// Writes a certificate of the verdict, piece by piece. Empty, or why it could not be finished.
  std::string certificate(std::size_t question, const std::function<void(std::string_view)>& write);

 private:
  struct Question {
    logic::NamedFormula formula;
    std::size_t machine = 0;
    std::string unsupported = {};                                 // if the formula is not valid
    bool all_paths = false;                                       // ModelProperty::all_paths
    std::optional<logic::ModelProperty::Distance> distance = {};  // a number is asked for
    std::shared_ptr<const logic::MuFormula> mu = nullptr;         // instead of the formula
    std::optional<engine::Result> result = {};
    std::shared_ptr<const model::Rsm> excerpt = nullptr;  // that the witness is of
    /// If it speaks of steps: it is the only question of this session, which has the answers.
    std::unique_ptr<Session> steps = nullptr;

    bool is_open() const { return !result && steps == nullptr; }
  };
  struct Labelled {
    std::size_t question;
    std::string_view engine;  // whose values
    std::shared_ptr<const explain::Labelling> labelling;
  };

  Session(Settings settings, std::shared_ptr<logic::FormulaPool> pool);

  void add(logic::ModelProperty property);
  void add_without_steps(logic::ModelProperty property);
  /// True if all atoms of the formula have been found to be the model's, and to speak of states.
  bool has_known_atoms(logic::FormulaId formula) const;
  /// Gives a question its session if it speaks of steps.
  void give_steps(Question& question);
  /// True if all questions, and there are some, speak of steps: the model itself is not needed.
  bool is_about_steps_only() const;
  engine::Env make_env();
  /// Sees to it that there is a machine, labelled with these atoms or those of a question. Empty,
  /// or why there is none.
  std::string prepare(const std::vector<std::string>& atoms);
  std::string prepare(std::size_t question);
  /// The propositions of what is asked and not decided, sorted.
  std::vector<std::string> atoms_asked() const;
  /// True if something is not decided that needs all states.
  bool needs_machine() const;
  bool decides_on_the_fly();
  /// The model has fairness constraints.
  bool is_fair() const;
  /// Which paths the question speaks of; null: of all.
  const model::Fairness* fairness(std::size_t question) const;
  /// True if no engine was asked for and what is asked may be decided without the whole model.
  bool begins_on_the_fly();
  /// True if the verdict came without the whole model, and the limits have kept it from being
  /// explored for the evidence.
  bool was_not_explored(std::size_t question) const;
  void begin_exploring(const std::vector<std::string>& atoms);
  void decide();
  void decide_on_the_fly(const std::vector<std::string>& atoms);
  /// Decides those that a few states decide.
  void search_as_they_are(const std::vector<std::size_t>& questions,
                          const std::vector<std::string>& atoms);
  void look_for_loops(const std::vector<std::string>& atoms);
  /// Those asked of one machine, about all paths or about those that are fair.
  void decide_together(const std::vector<std::size_t>& questions);
  /// Without a machine, on the fly.
  std::vector<engine::Result> run_engine(engine::Engine& engine, const model::Rsm* machine,
                                         std::span<const logic::FormulaId> formulas,
                                         bool all_paths);
  engine::Engine* path_engine();
  std::vector<engine::Result> run_engine(const model::Rsm* machine,
                                         std::span<const logic::FormulaId> formulas,
                                         bool all_paths);
  engine::Result run_mu(std::size_t machine, const logic::MuFormula& formula);
  // These throw LimitReached.
  const Labelled& labelled(std::size_t question);
  /// Of a verdict that came without the whole model.
  Answer<witness::Witness> witness_on_the_fly(std::size_t question);
  std::vector<std::size_t> labelled_together(std::size_t question) const;
  /// Nothing if the engine shows no fair paths.
  std::optional<witness::Witness> find_witness(std::size_t question);
  void certify_paths(std::size_t question, const std::function<void(std::string_view)>& write);

  Settings settings_;
  std::shared_ptr<logic::FormulaPool> shared_pool_;  // with the sessions of questions about steps
  logic::FormulaPool& pool_ = *shared_pool_;
  base::Statistics statistics_;
  std::vector<Question> questions_;
  std::vector<bool> known_atoms_;  // by formula: an atom of states, asked before
  std::shared_ptr<Subject> subject_;
  const engine::EngineInfo* engine_info_ = nullptr;
  std::unique_ptr<engine::Engine> engine_;
  std::unique_ptr<engine::Engine> path_engine_;  // where it is another one
  bool has_warned_ = false;
  bool has_warned_of_machine_ = false;
  double spent_ = 0;                // seconds, of the limits for the next questions
  double evidence_seconds_ = 0;     // spent on evidence that is found on the fly
  std::list<Labelled> labellings_;  // the last one used first; bounded by memory
};

}  // namespace nestor::session
