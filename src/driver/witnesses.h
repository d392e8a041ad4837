#pragma once

#include "driver/check_report.h"
#include "driver/load.h"
#include "driver/options.h"
#include "engine/engine.h"

#include <optional>
#include <string>

namespace nestor {

/// Makes the witnesses that `nestor check` is asked for.
class WitnessMaker {
 public:
  explicit WitnessMaker(const Options& options) : options_(options) {}

  bool is_asked() const { return !options_.witness.empty() || !options_.witness_dot.empty(); }
  /// A witness for each formula with a verdict, as text or JSON in the report; a warning for each
  /// that could not be found within the limits.
  void make(Engine& engine, std::string_view engine_id, const LoadedModel& loaded,
            FormulaPool& pool, Env& env, CheckReport& report);
  /// The files that the options name, after all is known.
  void write_files(const CheckReport& report) const;

 private:
  bool wants_text() const { return options_.witness == "-" && !options_.json; }
  bool wants_json() const { return options_.json || !wants_text(); }

  const Options& options_;
  std::string dot_;
};

}  // namespace nestor
