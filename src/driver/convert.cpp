#include "base/input.h"
#include "driver/atoms.h"
#include "driver/commands.h"
#include "driver/load.h"
#include "format/registry.h"
#include "logic/parser.h"

#include <fmt/format.h>

#include <ostream>

namespace nestor {

namespace {

/// The model with what the formulas ask, and nothing else, as labels: what a certificate is about.
LoadedModel labelled_for(const Options& options, const Streams& streams) {
  FormulaPool pool(atom_dialects());
  std::vector<NamedFormula> formulas;
  for (const std::string& text : options.formulas) {
    const SourceLocation place{"<formula>", 1, 1};
    formulas.push_back({parse_formula(pool, text, place), "", text, place});
  }
  const LoadedModel loaded = load_model(options);
  if (loaded.states == nullptr) {
    throw Error(Error::Kind::Usage,
                "--formula is for models whose states are explored; the labels "
                "of this one are in its file");
  }
  refuse_senseless_atoms(*loaded.states, pool, formulas);
  return explored_or_refused(loaded, atoms_of(pool), options, streams);
}

}  // namespace

int run_convert(const Options& options, const Streams& streams) {
  const FormatInfo& to = find_format(options.to, options.output);
  if (to.write == nullptr) {
    throw Error(Error::Kind::Usage,
                fmt::format("format '{}' can only be read, not written", to.id));
  }
  const LoadedModel loaded = options.formulas.empty() ? load_whole_model(options, streams)
                                                      : labelled_for(options, streams);
  const std::string text = to.write(loaded.model);
  if (options.output == "-") {
    streams.out << text;
  } else {
    OutputFile file(options.output);
    file.write(text);
    file.commit();
  }
  return kAllHold;
}

}  // namespace nestor
