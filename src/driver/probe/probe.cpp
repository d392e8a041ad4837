// nestor probe: walk through the states of a model and ask formulas of them.

#include "driver/commands.h"
#include "driver/probe/line_editor.h"
#include "driver/probe/session.h"
#include "driver/settings.h"
#include "session/atoms.h"

#include <ostream>

namespace nestor::driver {

namespace {

/// With the propositions that the model has of itself, or else those of its properties.
session::Subject explored(const Options& options, const Streams& streams) {
  ProgressLine line(streams);
  const Settings settings = settings_of(options, &line);
  logic::FormulaPool properties;
  session::Subject subject = session::Subject::read(source_of(options), settings, &properties);
  std::vector<std::string> propositions;
  if (subject.states() != nullptr) {
    propositions = subject.states()->propositions();
  }
  subject.explore_or_refuse(propositions.empty() ? session::atoms_of(properties) : propositions,
                            settings);
  return subject;
}

}  // namespace

int run_probe(const Options& options, const Streams& streams) {
  if (options.model == "-") {
    throw base::Error(base::Error::Kind::Usage,
                      "'probe' reads commands from standard input, not the model");
  }
  ProbeSession session(explored(options, streams), settings_of(options), streams);
  LineEditor editor(streams.in, streams.in_is_terminal,
                    [&session](const std::string& line, const std::string& word) {
                      return session.complete(line, word);
                    });
  if (streams.in_is_terminal) {
    session.run("state");
  }
  for (;;) {
    streams.out.flush();
    const std::optional<std::string> line = editor.read(session.prompt());
    if (!line || !session.run(*line)) {
      break;
    }
  }
  // Whoever writes commands to a pipe does not see the messages; the status tells.
  return streams.in_is_terminal || session.mistakes() == 0 ? kAllHold : kBadUsageOrInput;
}

}  // namespace nestor::driver
