// nestor replay: read the model, a formula and a witness, believe nothing.

#include "driver/commands.h"
#include "driver/settings.h"

#include <fmt/format.h>

#include <nestor/check.h>
#include <ostream>

namespace nestor::driver {

int run_replay(const Options& options, const Streams& streams) {
  refuse_stdin_twice(options.model, options.witness);
  ProgressLine line(streams);
  const Settings settings = settings_of(options, &line);
  if (!settings.engine.empty()) {
    find_engine(settings.engine);  // a mistake in its name is told at once
  }
  const Formula formula = Formula::parse(options.formula);
  const Replay result = replay(Model::read(source_of(options), settings), formula,
                               {.path = options.witness}, settings);
  line.clear();
  switch (result.outcome) {
    case Replay::Outcome::Accepted:
      streams.out << (result.holds ? "accepted: holds\n" : "accepted: fails\n");
      return kAllHold;
    case Replay::Outcome::Unknown:
      streams.out << fmt::format("unknown: {}\n", result.reason);
      return kSomeUnknown;
    case Replay::Outcome::Rejected:
      break;
  }
  streams.err << fmt::format("{}: rejected: {}\n",
                             options.witness == "-" ? "<stdin>" : options.witness, result.reason);
  return kRefused;
}

}  // namespace nestor::driver
