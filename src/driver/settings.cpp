#include "driver/settings.h"

#include "base/error.h"
#include "session/atoms.h"

#include <algorithm>
#include <thread>

namespace nestor::driver {

session::Settings settings_of(const Options& options, ProgressLine* line) {
  session::Settings settings;
  settings.engine = options.engine;
  settings.limits.seconds = options.timeout;
  settings.limits.megabytes = options.memory;
  settings.limits.states = options.max_states;
  settings.limits.steps = options.steps;
  if (!options.dead_ends.empty()) {
    settings.dead_ends = options.dead_ends == "loop"       ? model::DeadEnds::Loop
                         : options.dead_ends == "error"    ? model::DeadEnds::Error
                         : options.dead_ends == "infinite" ? model::DeadEnds::Infinite
                                                           : model::DeadEnds::Keep;
  }
  settings.jobs = options.jobs == 0
                      ? std::max(1U, std::thread::hardware_concurrency())
                      : static_cast<unsigned>(std::min<std::uint64_t>(options.jobs, 1024));
  settings.seed = options.seed;
  if (line != nullptr) {
    settings.progress = [line](const session::Progress& progress) { line->report(progress); };
  }
  return settings;
}

session::ModelSource source_of(const Options& options) {
  return {.path = options.model,
          .format = options.from,
          .link = options.link,
          .externals = options.externals,
          .most_targets = options.max_targets};
}

session::Subject whole_model(const Options& options, const Streams& streams) {
  ProgressLine line(streams);
  const session::Settings settings = settings_of(options, &line);
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

void refuse_stdin_twice(const std::string& one, const std::string& other) {
  if (one == "-" && other == "-") {
    throw base::Error(base::Error::Kind::Usage,
                      "only one input can be standard input, '-' is given twice");
  }
}

}  // namespace nestor::driver
