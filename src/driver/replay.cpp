// nestor replay: read the model, a formula and a witness, believe nothing.

#include "check/replay.h"

#include "base/input.h"
#include "check/bind.h"
#include "driver/commands.h"
#include "driver/settings.h"
#include "session/atoms.h"
#include "session/second_opinion.h"

#include <fmt/format.h>

#include <ostream>

namespace nestor::driver {

namespace {

/// The witness for the question, or the only one.
check::Replay replay_one(const std::vector<witness::WitnessDocument>& documents,
                         session::Session& session, std::size_t question, bool all_paths,
                         bool& holds) {
  const logic::FormulaId formula =
      all_paths ? session.formula(question).formula : session.asked(question);
  const model::Rsm& machine = session.machine(question);
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
                           all_paths ? nullptr : &session.subject().fairness());
    if (bound.witness.formula == formula) {
      break;
    }
  }
  return result;
}

}  // namespace

int run_replay(const Options& options, const Streams& streams) {
  refuse_stdin_twice(options.model, options.witness);
  ProgressLine line(streams);
  session::Session session(settings_of(options, &line));
  const std::size_t question = session.ask(options.formula);
  const base::Input input = base::Input::read(options.witness);
  const std::vector<witness::WitnessDocument> documents = witness::read_witnesses(input);
  session.about(session::Subject::read(source_of(options), session.settings()));
  session.subject().explore_or_refuse(session::atoms_of(session.pool()), session.settings());
  bool holds = false;
  const check::Replay result = replay_one(documents, session, question, options.all_paths, holds);
  line.clear();
  switch (result.outcome) {
    case check::Replay::Outcome::Accepted:
      streams.out << (holds ? "accepted: holds\n" : "accepted: fails\n");
      return kAllHold;
    case check::Replay::Outcome::Unknown:
      streams.out << fmt::format("unknown: {}\n", result.reason);
      return kSomeUnknown;
    case check::Replay::Outcome::Rejected:
      break;
  }
  streams.err << fmt::format("{}: rejected: {}\n", input.name(), result.reason);
  return kRefused;
}

}  // namespace nestor::driver
