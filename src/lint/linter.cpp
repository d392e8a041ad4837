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
  for (std::size_t i = 0; i < task.rules.size(); ++i) {
    const Rule* rule = task.rules[i];
    if (task.progress) {
      task.progress(i);
    }
    const base::Stopwatch stopwatch;
    RuleChecker(task, index, *rule, statistics, result).run();
    statistics.add_seconds(fmt::format("rule.{}.seconds", rule->id), stopwatch.seconds());
  }
  std::stable_sort(
      result.warnings.begin(), result.warnings.end(), [](const Warning& a, const Warning& b) {
        const std::size_t length = a.path.size();
        const std::size_t other = b.path.size();
        return std::tie(a.file, a.line, a.column, a.rule->id, a.subject, length, a.message) <
               std::tie(b.file, b.line, b.column, b.rule->id, b.subject, other, b.message);
      });
  // The same fault can be found from several roots, and in several copies of a function, of a
  // header or a template: the shortest path tells it.
  const auto same = [](const Warning& a, const Warning& b) {
    return a.rule == b.rule &&
           std::tie(a.file, a.line, a.column, a.subject) ==
               std::tie(b.file, b.line, b.column, b.subject) &&
           (!a.subject.empty() || a.function == b.function);
  };
  result.warnings.erase(std::unique(result.warnings.begin(), result.warnings.end(), same),
                        result.warnings.end());
  return result;
}

}  // namespace nestor::lint
