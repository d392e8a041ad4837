// What checks evidence and believes nothing: certificates and witnesses, from files or texts.

#include "api/formula_access.h"
#include "api/model_impl.h"
#include "base/input.h"
#include "check/bind.h"
#include "check/certificate_head.h"
#include "check/replay.h"
#include "check/verify.h"
#include "logic/infinite_paths.h"
#include "model/excerpt.h"
#include "session/atoms.h"
#include "session/excerpt_opinion.h"
#include "session/second_opinion.h"
#include "session/session.h"

#include <algorithm>
#include <memory>
#include <nestor/check.h>
#include <string_view>
#include <unordered_set>

namespace nestor {

namespace {

constexpr std::uint64_t kStepsToExplore = 10'000'000;

base::LineReader lines_of(const Document& document) {
  return document.path.empty() ? base::LineReader::from_text("<certificate>", document.text)
                               : base::LineReader::open(document.path);
}

/// The propositions that the certificate names, which a model that has to be explored is labelled
/// with: read first for them.
std::vector<std::string> propositions_of(const Document& certificate) {
  if (certificate.path == "-") {
    throw Error(
        Error::Kind::Usage,
        "for a model whose states are explored the certificate is read twice: '-' cannot be");
  }
  base::LineReader head = lines_of(certificate);
  return check::certificate_propositions(head);
}

/// The witness for the question, or the only one.
Replay replay_one(const std::vector<witness::WitnessDocument>& documents, session::Session& session,
                  std::size_t question, bool all_paths) {
  const logic::FormulaId formula =
      all_paths ? session.formula(question).formula : session.asked(question);
  const model::Rsm& machine = session.machine(question);
  bool holds = false;
  check::Replay result{check::Replay::Outcome::Rejected, "there is no witness in the file"};
  for (const witness::WitnessDocument& document : documents) {
    const check::BoundWitness bound = check::bind_witness(document, machine, session.pool());
    if (!bound.fault.empty()) {
      result.reason = bound.fault;
      if (logic::parse_formula(session.pool(), document.formula, document.formula_at) == formula) {
        break;
      }
      continue;
    }
    session::SecondOpinion decider(session.settings(), bound.witness.engine);
    holds = bound.witness.holds;
    result = check::replay(machine, session.pool(), formula, bound.witness, &decider,
                           all_paths ? nullptr : &session.subject(question).fairness());
    if (bound.witness.formula == formula) {
      break;
    }
  }
  return {static_cast<Replay::Outcome>(result.outcome), holds, result.reason};
}

/// The same where the whole model is too large: what the witness names is looked at, and nothing
/// else.
Replay replay_excerpts(const std::vector<witness::WitnessDocument>& documents,
                       session::Session& session, std::size_t question) {
  const logic::Simplifier& simplifier = *session.subject().simplifier();
  const logic::FormulaId formula = session.asked(question);
  Replay result{Replay::Outcome::Rejected, false, "there is no witness in the file"};
  for (const witness::WitnessDocument& document : documents) {
    std::unordered_set<std::string_view> named;
    for (const witness::WitnessDocument::StateEntry& state : document.states) {
      named.insert(state.node);
    }
    const std::shared_ptr<model::SuccessorFunction> given = simplifier.given();
    const model::Rsm machine = model::make_excerpt(
        given, [&](std::string_view name) { return named.contains(name); },
        session::atoms_of(session.pool()), session.settings().limits);
    const check::BoundWitness bound = check::bind_witness(document, machine, session.pool());
    const bool is_asked =
        logic::parse_formula(session.pool(), document.formula, document.formula_at) == formula;
    if (!bound.fault.empty()) {
      result.reason = bound.fault;
    } else {
      session::ExcerptOpinion decider(session.settings(), simplifier, *given);
      const check::Replay found =
          check::replay(machine, session.pool(), formula, bound.witness, &decider);
      result = {static_cast<Replay::Outcome>(found.outcome), bound.witness.holds, found.reason};
    }
    if (is_asked) {
      break;
    }
  }
  return result;
}

/// True if all states can be had with little work.
bool is_small(session::Session& session) {
  base::Limits limits = session.settings().limits;
  limits.steps = std::min(limits.steps.value_or(kStepsToExplore), kStepsToExplore);
  if (limits.seconds) {
    limits.seconds = *limits.seconds / 4;
  }
  return session.subject().explore_further(session::atoms_of(session.pool()), session.settings(),
                                           limits, nullptr);
}

bool can_be_excerpted(const session::Session& session, bool all_paths) {
  const session::Subject& subject = session.subject();
  return !all_paths && session.settings().engine.empty() && subject.states() != nullptr &&
         !subject.has_machine() && subject.simplifier() != nullptr &&
         subject.simplifier()->initial() &&
         (subject.dead_ends() == DeadEnds::Keep || subject.dead_ends() == DeadEnds::Infinite);
}

}  // namespace

Verification verify(const Model& model, const Document& certificate, const Formula* formula,
                    const Settings& settings) {
  base::LineReader lines = lines_of(certificate);
  std::shared_ptr<session::Subject> about = ModelAccess::subject(model);
  std::vector<std::string> propositions;
  if (about->states() != nullptr) {
    propositions = propositions_of(certificate);
    if (std::shared_ptr<session::Subject> steps = about->with_steps(propositions)) {
      about = std::move(steps);
    }
  }
  session::Subject& subject = *about;
  if (subject.states() != nullptr) {
    subject.explore_or_refuse(propositions, settings);
    if (subject.fairness().constraints > 0 && !settings.all_paths) {
      throw Error(Error::Kind::Unsupported, "the model has fairness constraints",
                  {subject.name(), 0, 0});
    }
  }
  logic::FormulaPool pool(format::atom_dialects());
  logic::FormulaId asked =
      formula == nullptr ? logic::FormulaId() : FormulaAccess::into(pool, *formula).formula.formula;
  if (asked.valid() && subject.has_uncounted_dead_ends() && !settings.all_paths) {
    asked = logic::on_infinite_paths(pool, asked);
  }
  const check::Verification result =
      check::verify(subject.machine(), subject.sha256(propositions), lines, pool, asked);
  return {result.accepted, result.holds, result.line, result.why};
}

Replay replay(const Model& model, const Formula& formula, const Document& witness,
              const Settings& settings) {
  const std::vector<witness::WitnessDocument> documents = witness::read_witnesses(
      witness.path.empty() ? base::Input::from_text("<witness>", witness.text)
                           : base::Input::read(witness.path));
  session::Session session(settings);
  const logic::ModelProperty asked = FormulaAccess::into(session.pool(), formula);
  const std::size_t question = session.ask(asked);
  session.about(ModelAccess::subject(model));
  const bool all_paths = settings.all_paths || asked.all_paths;
  const bool is_about_states = &session.subject(question) == &session.subject();
  if (is_about_states && can_be_excerpted(session, all_paths) && !is_small(session)) {
    try {
      return replay_excerpts(documents, session, question);
    } catch (const base::LimitReached& limit) {
      return {Replay::Outcome::Unknown, false, limit.reason};
    }
  }
  session.subject(question).explore_or_refuse(session::atoms_of(session.pool()),
                                              session.settings());
  return replay_one(documents, session, question, all_paths);
}

}  // namespace nestor
