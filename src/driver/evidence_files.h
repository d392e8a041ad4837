#pragma once

#include "base/gzip.h"
#include "driver/check_report.h"
#include "driver/options.h"
#include "session/session.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace nestor::driver {

/// The witnesses and certificates that `nestor check` is asked for: into the report, and into
/// files.
class EvidenceFiles {
 public:
  explicit EvidenceFiles(const Options& options) : options_(options) {}

  bool wants_witnesses() const {
    return !options_.witness.empty() || !options_.witness_dot.empty();
  }
  bool wants_certificates() const {
    return !options_.certificate.empty() || !options_.certificate_dir.empty();
  }
  /// Before the check: a file that cannot be written is told before the work. Throws Error.
  void open(std::size_t formulas);
  /// For each formula with a verdict; a warning for each that there is none for.
  void make(session::Session& session, CheckReport& report);
  /// The files of witnesses, after all is known.
  void write_witnesses(const CheckReport& report) const;

 private:
  bool wants_text() const { return options_.witness == "-" && !options_.json; }
  bool wants_json() const { return options_.json || !wants_text(); }
  std::string path_of(std::size_t formula) const;
  void certify(session::Session& session, std::size_t formula, CheckReport& report);
  /// A reason why not, or empty.
  std::string show(session::Session& session, std::size_t formula, WitnessTexts& texts);

  const Options& options_;
  std::size_t formulas_ = 0;
  std::optional<base::TextWriter> only_file_;  // of --certificate
  std::string dot_;
};

}  // namespace nestor::driver
