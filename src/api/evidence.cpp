// What checks evidence and believes nothing: certificates and witnesses, from files or texts.

#include "api/formula_access.h"
#include "api/model_impl.h"
#include "base/input.h"
#include "check/bind.h"
#include "check/certificate_head.h"
#include "check/replay.h"
#include "check/verify.h"
#include "logic/infinite_paths.h"
#include "session/atoms.h"
#include "session/second_opinion.h"
#include "session/session.h"

#include <nestor/check.h>

namespace nestor {

namespace {

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
  session.subject(question).explore_or_refuse(session::atoms_of(session.pool()),
                                              session.settings());
  return replay_one(documents, session, question, settings.all_paths || asked.all_paths);
}

}  // namespace nestor
