#include "base/input.h"
#include "driver/commands.h"
#include "driver/settings.h"
#include "format/registry.h"
#include "session/atoms.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace nestor {

namespace {

/// The model with what the formulas ask, and nothing else, as labels: what a certificate is about.
void label_for_formulas(const Options& options, Session& session) {
  for (const std::string& text : options.formulas) {
    session.ask(text);
  }
  session.about(Subject::read(source_of(options), session.settings()));
  if (session.subject().states() == nullptr) {
    throw Error(Error::Kind::Usage,
                "--formula is for models whose states are explored; the labels "
                "of this one are in its file");
  }
  std::vector<std::string> atoms = atoms_of(session.pool());
  std::sort(atoms.begin(), atoms.end());
  session.subject().explore_or_refuse(atoms, session.settings());
}

}  // namespace

int run_convert(const Options& options, const Streams& streams) {
  const FormatInfo& to = find_format(options.to, options.output);
  if (to.write == nullptr) {
    throw Error(Error::Kind::Usage,
                fmt::format("format '{}' can only be read, not written", to.id));
  }
  std::string text;
  if (options.formulas.empty()) {
    text = to.write(whole_model(options, streams).machine());
  } else {
    ProgressLine line(streams);
    Session session(settings_of(options, &line));
    label_for_formulas(options, session);
    text = to.write(session.subject().machine());
  }
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
