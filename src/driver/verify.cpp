// nestor verify: read the model and a certificate, believe nothing.

#include "check/verify.h"

#include "check/certificate_head.h"
#include "driver/commands.h"
#include "driver/load.h"
#include "logic/parser.h"

#include <fmt/format.h>

#include <ostream>

namespace nestor {

namespace {

/// The states of the model, with the propositions that the certificate names: read first for them.
void explore_for_certificate(LoadedModel& loaded, const Options& options, const Streams& streams) {
  if (options.certificate == "-") {
    throw Error(
        Error::Kind::Usage,
        "for a model whose states are explored the certificate is read twice: '-' cannot be");
  }
  LineReader head = LineReader::open(options.certificate);
  loaded = explored_or_refused(loaded, certificate_propositions(head), options, streams);
  if (loaded.fairness.constraints > 0) {
    throw Error(Error::Kind::Unsupported, loaded.not_provable(0), {loaded.name});
  }
}

}  // namespace

int run_verify(const Options& options, const Streams& streams) {
  if (options.model == "-" && options.certificate == "-") {
    throw Error(Error::Kind::Usage, "only one input can be standard input, '-' is given twice");
  }
  FormulaPool pool(atom_dialects());
  FormulaId formula;
  if (options.formulas.size() > 1) {
    throw Error(Error::Kind::Usage, "a certificate is about one formula, several are given");
  }
  if (!options.formulas.empty()) {
    formula = parse_formula(pool, options.formulas[0], {"<formula>", 1, 1});
  }
  LineReader lines = LineReader::open(options.certificate);
  LoadedModel loaded = load_model(options, nullptr, Fingerprint::Take);
  if (loaded.states != nullptr) {
    explore_for_certificate(loaded, options, streams);
  }
  const Verification result = verify(loaded.model, loaded.sha256, lines, pool, formula);
  if (!result.accepted) {
    streams.err << Error(Error::Kind::Input, result.why, {lines.name(), result.line, 0}).what()
                << '\n';
    return kRefused;
  }
  streams.out << (result.holds ? "verified: holds\n" : "verified: fails\n");
  return kAllHold;
}

}  // namespace nestor
