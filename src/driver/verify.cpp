// nestor verify: read the model and a certificate, believe nothing.

#include "check/verify.h"

#include "check/certificate_head.h"
#include "driver/commands.h"
#include "driver/settings.h"
#include "logic/infinite_paths.h"
#include "logic/parser.h"

#include <fmt/format.h>

#include <ostream>

namespace nestor::driver {

namespace {

/// The propositions that the certificate names, which a model that has to be explored is labelled
/// with: read first for them.
std::vector<std::string> propositions_of(const Options& options) {
  if (options.certificate == "-") {
    throw base::Error(
        base::Error::Kind::Usage,
        "for a model whose states are explored the certificate is read twice: '-' cannot be");
  }
  base::LineReader head = base::LineReader::open(options.certificate);
  return check::certificate_propositions(head);
}

}  // namespace

int run_verify(const Options& options, const Streams& streams) {
  refuse_stdin_twice(options.model, options.certificate);
  logic::FormulaPool pool(format::atom_dialects());
  logic::FormulaId formula;
  if (options.formulas.size() > 1) {
    throw base::Error(base::Error::Kind::Usage,
                      "a certificate is about one formula, several are given");
  }
  if (!options.formulas.empty()) {
    formula = logic::parse_formula(pool, options.formulas[0], {"<formula>", 1, 1});
  }
  base::LineReader lines = base::LineReader::open(options.certificate);
  ProgressLine line(streams);
  const session::Settings settings = settings_of(options, &line);
  session::ModelSource source = source_of(options);
  source.fingerprint = true;
  session::Subject subject = session::Subject::read(source, settings);
  std::vector<std::string> propositions;
  if (subject.states() != nullptr) {
    propositions = propositions_of(options);
    subject.explore_or_refuse(propositions, settings);
    if (subject.fairness().constraints > 0 && !options.all_paths) {
      throw base::Error(base::Error::Kind::Unsupported, "the model has fairness constraints",
                        {subject.name(), 0, 0});
    }
  }
  if (formula.valid() && subject.has_uncounted_dead_ends() && !options.all_paths) {
    formula = logic::on_infinite_paths(pool, formula);
  }
  const check::Verification result =
      check::verify(subject.machine(), subject.sha256(propositions), lines, pool, formula);
  line.clear();
  if (!result.accepted) {
    streams.err
        << base::Error(base::Error::Kind::Input, result.why, {lines.name(), result.line, 0}).what()
        << '\n';
    return kRefused;
  }
  streams.out << (result.holds ? "verified: holds\n" : "verified: fails\n");
  return kAllHold;
}

}  // namespace nestor::driver
