// nestor verify: read the model and a certificate, believe nothing.

#include "base/gzip.h"
#include "driver/commands.h"
#include "driver/settings.h"

#include <nestor/check.h>
#include <optional>
#include <ostream>

namespace nestor::driver {

int run_verify(const Options& options, const Streams& streams) {
  refuse_stdin_twice(options.model, options.certificate);
  std::optional<Formula> formula;
  if (options.formulas.size() > 1) {
    throw Error(Error::Kind::Usage, "a certificate is about one formula, several are given");
  }
  if (!options.formulas.empty()) {
    formula = Formula::parse(options.formulas[0]);
  }
  if (options.certificate != "-") {
    base::LineReader::open(options.certificate);  // told before a large model is read
  }
  ProgressLine line(streams);
  const Settings settings = settings_of(options, &line);
  ModelSource source = source_of(options);
  source.fingerprint = true;
  const Verification result = verify(Model::read(source, settings), {.path = options.certificate},
                                     formula ? &*formula : nullptr, settings);
  line.clear();
  if (!result.accepted) {
    const std::string file = options.certificate == "-" ? "<stdin>" : options.certificate;
    streams.err << Error(Error::Kind::Input, result.why, {file, result.line, 0}).what() << '\n';
    return kRefused;
  }
  streams.out << (result.holds ? "verified: holds\n" : "verified: fails\n");
  return kAllHold;
}

}  // namespace nestor::driver
