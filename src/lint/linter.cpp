#include "lint/linter.h"

#include "base/statistics.h"
#include "lint/rule_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace nestor::lint {

LintResult lint(const LintTask& task, base::Statistics& statistics) {
  LintResult result;
  program::ProgramIndex index(task.program, task.externals);
  for (const Rule* rule : task.rules) {
    const base::Stopwatch stopwatch;
    RuleChecker(task, index, *rule, statistics, result).run();
    statistics.add_seconds(fmt::format("rule.{}.seconds", rule->id), stopwatch.seconds());
  }
  std::stable_sort(result.warnings.begin(), result.warnings.end(),
                   [](const Warning& a, const Warning& b) {
                     return std::tie(a.file, a.line, a.column, a.rule->id, a.message) <
                            std::tie(b.file, b.line, b.column, b.rule->id, b.message);
                   });
  // The same place can be found from several roots.
  const auto same = [](const Warning& a, const Warning& b) {
    return a.rule == b.rule && std::tie(a.file, a.line, a.column, a.message) ==
                                   std::tie(b.file, b.line, b.column, b.message);
  };
  result.warnings.erase(std::unique(result.warnings.begin(), result.warnings.end(), same),
                        result.warnings.end());
  return result;
}

}  // namespace nestor::lint
