#include "lint/linter.h"

#include "base/statistics.h"
#include "lint/rule_checker.h"

#include <fmt/format.h>

namespace nestor::lint {

Findings find(const LintTask& task, base::Statistics& statistics) {
  Findings findings;
  findings.left_out.resize(task.rules.size());
  program::ProgramIndex index(task.program, task.externals, task.values);
  const std::unique_ptr<solver::BitVectorSolver> solver = solver::BitVectorSolver::make();
  statistics.add("lint.refutation.solver", solver::BitVectorSolver::is_available() ? 1 : 0);
  for (std::size_t i = 0; i < task.rules.size(); ++i) {
    if (task.progress) {
      task.progress(i);
    }
    const base::Stopwatch stopwatch;
    RuleChecker(task, index, *solver, i, statistics, findings).run();
    statistics.add_seconds(fmt::format("rule.{}.seconds", task.rules[i]->id), stopwatch.seconds());
  }
  return findings;
}

}  // namespace nestor::lint
