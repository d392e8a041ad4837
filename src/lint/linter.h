#pragma once

#include "base/statistics.h"
#include "lint/findings.h"
#include "lint/work_share.h"
#include "program/externals.h"
#include "program/program.h"
#include "program/program_index.h"
#include "session/settings.h"

#include <functional>
#include <string>
#include <vector>

namespace nestor::lint {

struct LintTask {
  const program::Program& program;
  const program::Externals& externals;
  std::vector<const Rule*> rules;
  session::Settings settings;  ///< of each question
  bool refutes = true;         ///< drops warnings whose paths no run can take, if there is a solver
  program::ValuesFollowed values = {};
  /// Called with the number of a rule before it is checked.
  std::function<void(std::size_t)> progress = {};
  WorkShare* share = nullptr;  ///< which part of the work is done; null: all of it
};

/// Checks each rule on slices of the program made for it. Files in warnings are as the program
/// names them.
Findings find(const LintTask& task, base::Statistics& statistics);
/// All of it, without fingerprints.
inline LintResult lint(const LintTask& task, base::Statistics& statistics) {
  return conclusion(find(task, statistics), task.rules);
}

}  // namespace nestor::lint
