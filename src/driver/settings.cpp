#include "driver/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <thread>

namespace nestor::driver {

Settings settings_of(const Options& options, ProgressLine* line) {
  Settings settings;
  settings.engine = options.engine;
  settings.limits.seconds = options.timeout;
  settings.limits.megabytes = options.memory;
  settings.limits.states = options.max_states;
  settings.limits.steps = options.steps;
  if (!options.dead_ends.empty()) {
    settings.dead_ends = options.dead_ends == "loop"       ? DeadEnds::Loop
                         : options.dead_ends == "error"    ? DeadEnds::Error
                         : options.dead_ends == "infinite" ? DeadEnds::Infinite
                                                           : DeadEnds::Keep;
  }
  settings.jobs = options.jobs == 0
                      ? std::max(1U, std::thread::hardware_concurrency())
                      : static_cast<unsigned>(std::min<std::uint64_t>(options.jobs, 1024));
  settings.seed = options.seed;
  settings.choice = options.choice == "leftmost" ? Choice::Leftmost
                    : options.choice == "random" ? Choice::Random
                                                 : Choice::All;
  settings.may_switch = !options.no_switch;
  settings.all_paths = options.all_paths;
  if (line != nullptr) {
    settings.progress = [line](const Progress& progress) { line->report(progress); };
  }
  return settings;
}

ModelSource source_of(const Options& options) {
  return {.path = options.model,
          .format = options.from,
          .link = options.link,
          .externals = options.externals,
          .most_targets = options.max_targets,
          .last_stage = options.net_stages == "rewriting"        ? NetStage::Rewriting
                        : options.net_stages == "reductions"     ? NetStage::Reductions
                        : options.net_stages == "state-equation" ? NetStage::StateEquation
                        : options.net_stages == "stubborn-sets"  ? NetStage::StubbornSets
                                                                 : NetStage::DecisionDiagrams,
          .initial = options.initial,
          .properties = false,
          .fingerprint = false};
}

std::vector<Formula> formulas_of(const Options& options) {
  std::vector<Formula> all;
  const auto add = [&](std::vector<Formula> formulas) {
    all.insert(all.end(), std::make_move_iterator(formulas.begin()),
               std::make_move_iterator(formulas.end()));
  };
  for (const std::string& file : options.formula_files) {
    add(Formula::read(file));
  }
  for (std::size_t i = 0; i < options.formulas.size(); ++i) {
    add(Formula::parse_lines(options.formulas[i], options.formulas.size() == 1
                                                      ? "<formula>"
                                                      : fmt::format("<formula {}>", i + 1)));
  }
  for (std::size_t i = 0; i < options.mu_formulas.size(); ++i) {
    all.push_back(Formula::parse_mu(options.mu_formulas[i], options.mu_formulas.size() == 1
                                                                ? "<mu>"
                                                                : fmt::format("<mu {}>", i + 1)));
  }
  return all;
}

Model whole_model(const Options& options, const Streams& streams) {
  ProgressLine line(streams);
  const Settings settings = settings_of(options, &line);
  ModelSource source = source_of(options);
  source.properties = true;
  Model model = Model::read(source, settings);
  model.explore(settings);
  return model;
}

void refuse_stdin_twice(const std::string& one, const std::string& other) {
  if (one == "-" && other == "-") {
    throw Error(Error::Kind::Usage, "only one input can be standard input, '-' is given twice");
  }
}

}  // namespace nestor::driver
