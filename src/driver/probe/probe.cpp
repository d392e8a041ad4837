// nestor probe: walk through the states of a model and ask formulas of them.

#include "driver/commands.h"
#include "driver/probe/line_editor.h"
#include "driver/probe/session.h"
#include "driver/settings.h"

#include <ostream>

namespace nestor::driver {

int run_probe(const Options& options, const Streams& streams) {
  if (options.model == "-") {
    throw Error(Error::Kind::Usage, "'probe' reads commands from standard input, not the model");
  }
  ProbeSession session(StateGraph(whole_model(options, streams), settings_of(options)), streams);
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
