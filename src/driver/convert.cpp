#include "base/input.h"
#include "driver/commands.h"
#include "driver/settings.h"
#include "format/registry.h"
#include "session/atoms.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace nestor::driver {

namespace {

/// The model with what the formulas ask, and nothing else, as labels: what a certificate is about.
void label_for_formulas(const Options& options, session::Session& session) {
  for (const std::string& text : options.formulas) {
    session.ask(text);
  }
  session.about(session::Subject::read(source_of(options), session.settings()));
  if (session.subject().states() == nullptr) {
    throw base::Error(base::Error::Kind::Usage,
                      "--formula is for models whose states are explored; the labels "
                      "of this one are in its file");
  }
  std::vector<std::string> atoms = session::atoms_of(session.pool());
  std::sort(atoms.begin(), atoms.end());
  session.subject().explore_or_refuse(atoms, session.settings());
}

}  // namespace

int run_convert(const Options& options, const Streams& streams) {
  const format::FormatInfo& to = format::find_format(options.to, options.output);
  if (to.write == nullptr) {
    throw base::Error(base::Error::Kind::Usage,
                      fmt::format("format '{}' can only be read, not written", to.id));
  }
  std::string text;
  if (options.formulas.empty()) {
    text = to.write(whole_model(options, streams).machine());
  } else {
    ProgressLine line(streams);
    session::Session session(settings_of(options, &line));
    label_for_formulas(options, session);
    text = to.write(session.subject().machine());
  }
  if (options.output == "-") {
    streams.out << text;
  } else {
    base::OutputFile file(options.output);
    file.write(text);
    file.commit();
  }
  return kAllHold;
}

}  // namespace nestor::driver
