#pragma once

#include "base/gzip.h"
#include "driver/check_report.h"
#include "driver/options.h"
#include "driver/report_page.h"

#include <cstddef>
#include <nestor/check.h>
#include <optional>
#include <string>

namespace nestor::driver {

/// The witnesses and certificates that `nestor check` is asked for: into the report, and into
/// files.
class EvidenceFiles {
 public:
  explicit EvidenceFiles(const Options& options) : options_(options), page_(options) {}

  bool wants_witnesses() const {
    return !options_.witness.empty() || !options_.witness_dot.empty() || page_.is_wanted();
  }
  bool wants_certificates() const {
    return !options_.certificate.empty() || !options_.certificate_dir.empty();
  }
  /// Before the check: a file that cannot be written is told before the work. Throws Error.
  void open(std::size_t formulas);
  /// For one formula with a verdict; a warning if there is none for it.
  void make(Session& session, std::size_t formula, CheckReport& report);
  /// After all of them: the warnings, those about witnesses last, and the time it took.
  void finish(CheckReport& report, Statistics& statistics) const;
  /// The files of witnesses, after all is known.
  void write_witnesses(const CheckReport& report, const Model& model);

 private:
  bool wants_text() const {
    return options_.witness == "-" && !options_.json && !options_.json_lines;
  }
  bool wants_json() const {
    return !wants_text() && (!options_.witness.empty() || !options_.witness_dot.empty());
  }
  std::string path_of(std::size_t formula) const;
  void certify(Session& session, std::size_t formula, CheckReport& report);
  /// A reason why not, or empty.
  std::string show(Session& session, std::size_t formula, WitnessTexts& texts);

  const Options& options_;
  std::size_t formulas_ = 0;
  std::optional<base::TextWriter> only_file_;  // of --certificate
  std::string dot_;
  ReportPage page_;  // of --html
  double certify_seconds_ = 0;
  double witness_seconds_ = 0;
};

}  // namespace nestor::driver
