#pragma once

#include "base/statistics.h"
#include "lint/warning.h"
#include "program/externals.h"
#include "program/program.h"
#include "session/settings.h"

#include <functional>
#include <string>
#include <vector>

namespace nestor::lint {

/// What rules say of a program.
struct LintResult {
  std::vector<Warning> warnings;     ///< sorted by place
  std::vector<std::string> unknown;  ///< rules that could not be decided, with the reason
  std::vector<std::string> notes;    ///< what was left out of the warnings
};

struct LintTask {
  const program::Program& program;
  const program::Externals& externals;
  std::vector<const Rule*> rules;
  session::Settings settings;  ///< of each question
  bool refutes = true;         ///< drops warnings whose paths no run can take, if there is a solver
  /// Called with the number of a rule before it is checked.
  std::function<void(std::size_t)> progress = {};
};

/// Checks each rule on slices of the program made for it. Files in warnings are as the program
/// names them, without fingerprints.
LintResult lint(const LintTask& task, base::Statistics& statistics);

}  // namespace nestor::lint
