#include "driver/commands.h"
#include "driver/output.h"
#include "driver/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <nestor/check.h>
#include <ostream>

namespace nestor::driver {

namespace {

void add_atoms(const Formula& formula, std::vector<std::string>& atoms) {
  std::vector<Formula> open{formula};
  while (!open.empty()) {
    const Formula next = std::move(open.back());
    open.pop_back();
    if (next.op() == "atom") {
      atoms.emplace_back(next.proposition());
    }
    for (Formula& operand : next.operands()) {
      open.push_back(std::move(operand));
    }
  }
}

/// The model with what the formulas ask, and nothing else, as labels: what a certificate is about.
Model labelled_for_formulas(const Options& options, const Streams& streams) {
  ProgressLine line(streams);
  const Settings settings = settings_of(options, &line);
  std::vector<std::string> atoms;
  std::vector<Formula> formulas;
  for (const std::string& text : options.formulas) {
    formulas.push_back(Formula::parse(text));
    add_atoms(formulas.back(), atoms);
  }
  Model model = Model::read(source_of(options), settings);
  Session session(model, settings);
  for (const Formula& formula : formulas) {
    session.ask(formula);  // refuses atoms that make no sense in the model
  }
  if (!model.is_given_by_states()) {
    throw Error(Error::Kind::Usage,
                "--formula is for models whose states are explored; the labels "
                "of this one are in its file");
  }
  std::sort(atoms.begin(), atoms.end());
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  model.explore(settings, atoms);
  return model;
}

Model labelled_with_all(const Options& options, const Streams& streams) {
  if (!options.formulas.empty()) {
    throw Error(Error::Kind::Usage, "--atoms and --formula exclude each other");
  }
  ProgressLine line(streams);
  const Settings settings = settings_of(options, &line);
  Model model = Model::read(source_of(options), settings);
  if (!model.is_given_by_states()) {
    throw Error(Error::Kind::Usage,
                "--atoms is for models whose states are explored; the labels of this one are in "
                "its file");
  }
  model.explore(settings, model.all_atoms(settings));
  return model;
}

}  // namespace

int run_convert(const Options& options, const Streams& streams) {
  const Format to = find_format(options.to, options.output);
  if (!to.is_written) {
    throw Error(Error::Kind::Usage,
                fmt::format("format '{}' can only be read, not written", to.id));
  }
  Model model = !options.atoms.empty()     ? labelled_with_all(options, streams)
                : options.formulas.empty() ? whole_model(options, streams)
                                           : labelled_for_formulas(options, streams);
  write_output(options.output, model.write(to.id), streams);
  return kAllHold;
}

}  // namespace nestor::driver
