#include "lint/linter.h"

#include "base/statistics.h"
#include "lint/rule_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace nestor::lint {

namespace {

/// The rule is about what becomes of a call's result.
bool is_about_result(const Rule& rule) {
  const auto site = rule.events.find(rule.site);
  return site != rule.events.end() && site->second.result != EventPattern::Result::Any;
}

/// Of several rules about the result of one call, the most severe one is enough.
void drop_repeated(std::vector<Warning>& warnings) {
  const auto place = [](const Warning& warning) {
    return std::tie(warning.file, warning.line, warning.column, warning.subject);
  };
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t, std::string>, const Rule*> first;
  for (const Warning& warning : warnings) {
    if (!is_about_result(*warning.rule)) {
      continue;
    }
    const Rule*& rule = first[place(warning)];
    if (rule == nullptr || warning.rule->severity < rule->severity) {
      rule = warning.rule;
    }
  }
  warnings.erase(std::remove_if(warnings.begin(), warnings.end(),
                                [&](const Warning& warning) {
                                  return is_about_result(*warning.rule) && warning.line > 0 &&
                                         first[place(warning)] != warning.rule;
                                }),
                 warnings.end());
}

/// That a variable is never read is told once, not again for each value that it is given.
void drop_stores_of_unused(std::vector<Warning>& warnings) {
  const auto speaks_of = [](const Warning& warning, program::FactKind fact) {
    const auto site = warning.rule->events.find(warning.rule->site);
    return warning.rule->scope == Rule::Scope::Variable && site != warning.rule->events.end() &&
           site->second.names(fact);
  };
  std::set<program::VariableId> unused;
  for (const Warning& warning : warnings) {
    if (speaks_of(warning, program::FactKind::Scope)) {
      unused.insert(warning.variable);
    }
  }
  warnings.erase(std::remove_if(warnings.begin(), warnings.end(),
                                [&](const Warning& warning) {
                                  return speaks_of(warning, program::FactKind::Def) &&
                                         unused.count(warning.variable) != 0;
                                }),
                 warnings.end());
}

/// What goes wrong in a function goes wrong for those that call it: the shortest path tells it.
void tell_once(std::vector<Warning>& warnings) {
  std::map<std::pair<const Rule*, std::string>, const Warning*> shortest;
  for (const Warning& warning : warnings) {
    const auto [found, fresh] = shortest.try_emplace({warning.rule, warning.fault}, &warning);
    if (!fresh && warning.path.size() < found->second->path.size()) {
      found->second = &warning;
    }
  }
  std::set<const Warning*> told;
  for (const auto& [key, warning] : shortest) {
    told.insert(warning);
  }
  std::vector<Warning> kept;
  for (Warning& warning : warnings) {
    if (warning.fault.empty() || told.count(&warning) != 0) {
      kept.push_back(std::move(warning));
    }
  }
  warnings = std::move(kept);
}

}  // namespace

LintResult lint(const LintTask& task, base::Statistics& statistics) {
  LintResult result;
  program::ProgramIndex index(task.program, task.externals);
  solver::BitVectorSolver solver;
  statistics.add("lint.refutation.solver", solver::BitVectorSolver::is_available() ? 1 : 0);
  for (std::size_t i = 0; i < task.rules.size(); ++i) {
    const Rule* rule = task.rules[i];
    if (task.progress) {
      task.progress(i);
    }
    const base::Stopwatch stopwatch;
    RuleChecker(task, index, solver, *rule, statistics, result).run();
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
  drop_stores_of_unused(result.warnings);
  tell_once(result.warnings);
  drop_repeated(result.warnings);
  return result;
}

}  // namespace nestor::lint
