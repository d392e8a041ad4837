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

namespace nestor {

namespace {

/// The witness for the question, or the only one.
Replay replay_one(const std::vector<WitnessDocument>& documents, Session& session,
                  std::size_t question, bool& holds) {
  const FormulaId formula = session.formula(question).formula;
  const Rsm& machine = session.machine(question);
  Replay result{Replay::Outcome::Rejected, "there is no witness in the file"};
  for (const WitnessDocument& document : documents) {
    const BoundWitness bound = bind_witness(document, machine, session.pool());
    if (!bound.fault.empty()) {
      result.reason = bound.fault;
      if (parse_formula(session.pool(), document.formula, document.formula_at) == formula) {
        break;
      }
      continue;
    }
    SecondOpinion decider(session.settings(), bound.witness.engine);
    holds = bound.witness.holds;
    result = replay(machine, session.pool(), formula, bound.witness, &decider,
                    &session.subject().fairness());
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
  Session session(settings_of(options, &line));
  const std::size_t question = session.ask(options.formula);
  const Input input = Input::read(options.witness);
  const std::vector<WitnessDocument> documents = read_witnesses(input);
  session.about(Subject::read(source_of(options), session.settings()));
  session.subject().explore_or_refuse(atoms_of(session.pool()), session.settings());
  bool holds = false;
  const Replay result = replay_one(documents, session, question, holds);
  line.clear();
  switch (result.outcome) {
    case Replay::Outcome::Accepted:
      streams.out << (holds ? "accepted: holds\n" : "accepted: fails\n");
      return kAllHold;
    case Replay::Outcome::Unknown:
      streams.out << fmt::format("unknown: {}\n", result.reason);
      return kSomeUnknown;
    case Replay::Outcome::Rejected:
      break;
  }
  streams.err << fmt::format("{}: rejected: {}\n", input.name(), result.reason);
  return kRefused;
}

}  // namespace nestor
