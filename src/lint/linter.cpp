#include "lint/linter.h"

#include "base/statistics.h"
#include "lint/rule_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
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

}  // namespace

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
  drop_repeated(result.warnings);
  return result;
}

}  // namespace nestor::lint
