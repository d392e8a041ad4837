// What a session shows for its verdicts: values, witnesses, certificates.

#include "base/error.h"
#include "check/replay.h"
#include "explain/certificate.h"
#include "explain/extract.h"
#include "session/atoms.h"
#include "session/evidence_on_the_fly.h"
#include "session/on_the_fly.h"
#include "session/session.h"
#include "session/within_limits.h"

#include <algorithm>
#include <utility>

namespace nestor::session {

namespace {

constexpr const char* kNotCtl = "values are for formulas of CTL";
constexpr const char* kOfSteps = "values are those of states, this formula speaks of steps";
constexpr const char* kNoEvidenceForMu =
    "evidence and proofs are for formulas of CTL, this is one of the mu-calculus";
constexpr const char* kNotExplored = "the verdict was found without exploring the whole model";
// Of the time that is left for evidence that is found on the fly, for the next question: most need
// next to none.
constexpr double kShareOfOne = 0.25;
constexpr const char* kNoTimeForEvidence = "no time was left to find a path";
// Labellings are kept for the next question about a formula; a thousand of a large program's are
// more than a machine has memory.
constexpr std::size_t kMostBytesKept = std::size_t{256} << 20;
constexpr std::size_t kMostTogether = 16;  // as many as the default engine labels side by side

/// Of the normal form that was labelled: simplifying may have dropped some of the formula's.
std::vector<std::string> atoms_labelled(const logic::FormulaPool& pool,
                                        const explain::Labelling& labelling) {
  return atoms_of(pool, labelling.subformulas.back());
}

}  // namespace

bool Session::was_not_explored(std::size_t question) const {
  const std::optional<engine::Result>& result = questions_[question].result;
  return settings_.wants_evidence && result && !result->how.empty() && !subject_->has_machine();
}

std::string Session::prepare(std::size_t question) {
  const logic::FormulaId formula = questions_[question].formula.formula;
  if (questions_[question].distance) {
    return "a number has no evidence";
  }
  if (questions_[question].mu != nullptr) {
    return kNoEvidenceForMu;
  }
  return formula.valid() ? prepare(atoms_of(pool_, formula)) : questions_[question].unsupported;
}

/// Whoever has asked for the values of one question after those of the one before will go on so: an
/// engine may label what comes next beside it. Limits are for each question by itself.
std::vector<std::size_t> Session::labelled_together(std::size_t question) const {
  std::vector<std::size_t> questions{question};
  const base::Limits& limits = settings_.limits;
  const bool is_next = !labellings_.empty() && labellings_.front().question + 1 == question;
  if (!is_next || limits.seconds || limits.megabytes || limits.steps ||
      fairness(question) != nullptr) {
    return questions;
  }
  const std::size_t bytes = labellings_.front().labelling->memory_bytes() + 1;
  const std::size_t most = std::min(kMostTogether, kMostBytesKept / 2 / bytes);
  for (std::size_t q = question + 1; q < questions_.size() && questions.size() < most; ++q) {
    const Question& next = questions_[q];
    if (next.machine == questions_[question].machine && next.formula.formula.valid() &&
        pool_.is_ctl(next.formula.formula) && !next.distance && next.mu == nullptr &&
        next.steps == nullptr && fairness(q) == nullptr) {
      questions.push_back(q);
    }
  }
  return questions;
}

const Session::Labelled& Session::labelled(std::size_t question) {
  const auto known = std::ranges::find(labellings_, question, &Labelled::question);
  if (known != labellings_.end()) {
    labellings_.splice(labellings_.begin(), labellings_, known);
    return labellings_.front();
  }
  const std::vector<std::size_t> questions = labelled_together(question);
  if (settings_.limits.megabytes) {
    labellings_.clear();  // what is kept must not count against what is asked next
  }
  engine();
  std::string_view labelled_by = engine_info_->id;
  std::vector<logic::FormulaId> formulas;
  for (const std::size_t q : questions) {
    formulas.push_back(asked(q));
  }
  const base::Stopwatch watch;
  engine::Env env = make_env();
  std::vector<std::optional<explain::Labelling>> found(1);
  if (engine_->cannot_handle({machine(question), pool_, formulas}).empty()) {
    found = engine_->label_together(machine(question), pool_, formulas, env);
  }
  if (!found.front()) {
    // The engine knows no more than its verdict: the default engine finds the values.
    labelled_by = engine::default_engine().id;
    found =
        engine::default_engine().make()->label_together(machine(question), pool_, formulas, env);
  }
  NESTOR_CHECK(found.front().has_value());
  for (std::size_t i = found.size(); i-- > 0;) {  // the one that was asked for comes to the front
    if (!found[i]) {
      continue;
    }
    // Two ways to the same answer, for engines that label another way than they check.
    const std::optional<engine::Result>& result = questions_[questions[i]].result;
    NESTOR_CHECK(!result || result->verdict == engine::Verdict::Unknown ||
                 explain::holds(machine(question), *found[i]) ==
                     (result->verdict == engine::Verdict::Holds));
    labellings_.push_front({questions[i], labelled_by,
                            std::make_shared<const explain::Labelling>(std::move(*found[i]))});
    statistics_.add("label.formulas", 1);
  }
  statistics_.add_seconds("label.seconds", watch.seconds());
  std::size_t bytes = 0;
  for (auto kept = labellings_.begin(); kept != labellings_.end();) {
    bytes += kept->labelling->memory_bytes();
    const bool fits = kept == labellings_.begin() || bytes <= kMostBytesKept;
    kept = fits ? std::next(kept) : labellings_.erase(kept);
  }
  return labellings_.front();
}

Answer<explain::Labelling> Session::labelling(std::size_t question) {
  if (questions_[question].steps != nullptr) {
    return {nullptr, kOfSteps};
  }
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

Answer<explain::CheckOrder> Session::check_order(std::size_t question) {
  if (questions_[question].steps != nullptr) {
    return {nullptr, kOfSteps};
  }
  Answer<explain::CheckOrder> answer;
  answer.reason = prepare(question);
  if (answer.reason.empty() && !pool_.is_ctl(asked(question))) {
    answer.reason = kNotCtl;
  }
  if (!answer.reason.empty()) {
    return answer;
  }
  engine();
  const logic::FormulaId formula = asked(question);
  answer.reason = engine_->cannot_handle({machine(question), pool_, {&formula, 1}});
  if (!answer.reason.empty()) {
    return answer;
  }
  answer.reason = within_limits([&] {
    engine::Env env = make_env();
    if (auto found = engine_->check_order(machine(question), pool_, formula, env)) {
      answer.value = std::make_shared<explain::CheckOrder>(std::move(*found));
    }
  });
  if (!answer && answer.reason.empty()) {
    answer.reason = "the engine makes no local checks, rks and rks-incremental do";
  }
  return answer;
}

std::optional<witness::Witness> Session::find_witness(std::size_t question) {
  const model::Rsm& model = machine(question);
  const logic::FormulaId formula = asked(question);
  const bool is_held = questions_[question].result->verdict == engine::Verdict::Holds;
  const bool is_ctl = pool_.is_ctl(formula);
  std::optional<witness::Witness> own;
  if (is_ctl && fairness(question) == nullptr) {
    own = explain::witness_without_values(model, pool_, formula, is_held);
  }
  if (!own) {
    engine::Env env = make_env();
    engine::Engine& asked = is_ctl ? *engine_ : *path_engine();
    own = asked.explain({model, pool_, formula, is_held, fairness(question)}, env);
  }
  if (own) {
    own->engine = (is_ctl ? *engine_info_ : engine::path_engine()).id;
    return own;
  }
  if (!is_ctl || fairness(question) != nullptr) {
    return std::nullopt;  // values do not tell which paths are fair, or what path formulas are
  }
  const Labelled& values = labelled(question);
  return explain::extract_witness(model, pool_, formula, is_held, *values.labelling,
                                  std::string(values.engine), settings_.limits);
}

Answer<witness::Witness> Session::witness(std::size_t question) {
  if (Session* steps = questions_[question].steps.get(); steps != nullptr) {
    return steps->witness(0);
  }
  Answer<witness::Witness> answer;
  if (const engine::Result& result = verdict(question);
      result.verdict == engine::Verdict::Unknown) {
    answer.reason = result.reason;
    return answer;
  }
  if (was_not_explored(question) && subject_->simplifier() != nullptr) {
    return witness_on_the_fly(question);
  }
  answer.reason = was_not_explored(question) ? kNotExplored : prepare(question);
  if (answer.reason.empty() && subject_->is_empty()) {
    answer.reason = "the model has no initial state";
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

Answer<witness::Witness> Session::witness_on_the_fly(std::size_t question) {
  Answer<witness::Witness> answer;
  const logic::Simplifier& simplifier = *subject_->simplifier();
  const logic::FormulaId formula = asked(question);
  if (!pool_.is_ctl(formula) || !simplifier.initial()) {
    answer.reason = kNotExplored;
    return answer;
  }
  base::Limits limits = settings_.limits;
  const base::Stopwatch watch;
  if (limits.seconds) {
    limits.seconds = kShareOfOne * std::max(0.0, OnTheFly::kShareForEvidence * *limits.seconds -
                                                     evidence_seconds_);
  }
  const bool holds = questions_[question].result->verdict == engine::Verdict::Holds;
  answer.reason = within_limits([&] {
    EvidenceOnTheFly::Shown shown =
        EvidenceOnTheFly(simplifier, pool_, limits).show(formula, holds);
    // A path of a smaller net is believed as little as another one.
    const check::Replay replayed =
        check::replay(*shown.machine, pool_, formula, shown.witness, nullptr);
    if (replayed.outcome == check::Replay::Outcome::Rejected) {
      throw base::LimitReached{"the path that was found does not show it: " + replayed.reason};
    }
    questions_[question].excerpt = std::move(shown.machine);
    answer.value = std::make_shared<witness::Witness>(std::move(shown.witness));
  });
  evidence_seconds_ += watch.seconds();
  if (answer.reason.starts_with("timeout")) {
    answer.reason = kNoTimeForEvidence;
  }
  return answer;
}

std::string Session::not_certifiable(std::size_t question) {
  if (Session* steps = questions_[question].steps.get(); steps != nullptr) {
    return steps->not_certifiable(0);
  }
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
  if (is_fair() && !questions_[question].all_paths) {
    return "the model has fairness constraints";
  }
  if (questions_[question].machine != 0) {
    return "the formula speaks of another model of the file; convert that to RSM JSON";
  }
  return {};
}

void Session::certify_paths(std::size_t question,
                            const std::function<void(std::string_view)>& write) {
  const logic::FormulaId formula = asked(question);
  const bool is_held = questions_[question].result->verdict == engine::Verdict::Holds;
  engine::Env env = make_env();
  NESTOR_CHECK(path_engine()->certify({machine(question), pool_, formula, is_held},
                                      subject_->sha256(atoms_of(pool_, formula)), env, write));
}

std::string Session::certificate(std::size_t question,
                                 const std::function<void(std::string_view)>& write) {
  if (Session* steps = questions_[question].steps.get(); steps != nullptr) {
    return steps->certificate(0, write);
  }
  std::string reason = not_certifiable(question);
  if (reason.empty()) {
    reason = prepare(question);
  }
  if (reason.empty()) {
    reason = within_limits([&] {
      if (!pool_.is_ctl(asked(question))) {
        certify_paths(question, write);
        return;
      }
      const Labelled& values = labelled(question);
      const std::string hash = subject_->sha256(atoms_labelled(pool_, *values.labelling));
      base::LimitGuard guard(settings_.limits);
      explain::write_certificate(machine(question), pool_, *values.labelling, hash, guard, write);
    });
  }
  return reason;
}

}  // namespace nestor::session
