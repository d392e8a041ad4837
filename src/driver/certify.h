#pragma once

#include "base/gzip.h"
#include "driver/check_report.h"
#include "driver/load.h"
#include "driver/options.h"
#include "engine/engine.h"

#include <optional>

namespace nestor {

/// Writes the certificates that `nestor check` is asked for.
class Certifier {
 public:
  /// Before the check: a file that cannot be written is told before the work. Throws Error.
  Certifier(const Options& options, const Streams& streams, std::size_t formulas);

  /// A certificate for each formula with a verdict; their paths go to the report, and a warning for
  /// each that could not be found within the limits.
  void write(Engine& engine, const LoadedModel& loaded, FormulaPool& pool, Env& env,
             CheckReport& report);

 private:
  std::string path_of(std::size_t formula) const;
  static void write_one(Engine& engine, const LoadedModel& loaded, FormulaPool& pool,
                        FormulaId formula, Verdict verdict, Env& env, TextWriter& file);

  const Options& options_;
  const Streams& streams_;
  std::size_t formulas_;
  std::optional<TextWriter> only_file_;  // of --certificate
};

}  // namespace nestor
