#include "lint/report.h"
#include "lint/sources.h"

#include <fmt/format.h>

#include <iterator>
#include <set>

namespace nestor::lint {

namespace {

std::string place(const std::string& file, std::uint32_t line, std::uint32_t column,
                  const std::string& root) {
  std::string name = file.empty() ? "<unknown>" : relative_to(file, root);
  if (line == 0) {
    return name;
  }
  return column == 0 ? fmt::format("{}:{}", name, line)
                     : fmt::format("{}:{}:{}", name, line, column);
}

}  // namespace

std::string summary(const LintReport& report) {
  std::size_t errors = 0;
  std::size_t notes = 0;
  std::set<const Rule*> rules;
  for (const Warning& warning : report.warnings) {
    errors += warning.rule->severity == Rule::Severity::Error ? 1 : 0;
    notes += warning.rule->severity == Rule::Severity::Note ? 1 : 0;
    rules.insert(warning.rule);
  }
  const auto counted = [](std::size_t number, std::string_view what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
  };
  if (report.warnings.empty()) {
    return fmt::format("no warnings by {} in 1 program", counted(report.rules.size(), "rule"));
  }
  std::string kinds;
  for (const std::string& kind :
       {errors == 0 ? "" : counted(errors, "error"), notes == 0 ? "" : counted(notes, "note")}) {
    kinds += kind.empty() ? "" : (kinds.empty() ? "" : ", ") + kind;
  }
  return fmt::format("{}{} by {} in 1 program", counted(report.warnings.size(), "warning"),
                     kinds.empty() ? "" : fmt::format(" ({})", kinds),
                     counted(rules.size(), "rule"));
}

std::string report_text(const LintReport& report) {
  std::string out;
  for (const Warning& warning : report.warnings) {
    fmt::format_to(std::back_inserter(out), "{}: {}: {} [{}]\n",
                   place(warning.file, warning.line, warning.column, report.source_root),
                   to_string(warning.rule->severity), warning.message, warning.rule->id);
    // A path of one step that happens where the warning stands tells nothing.
    if (warning.path.size() == 1 && warning.path.front().line == warning.line) {
      continue;
    }
    for (const PathStep& step : warning.path) {
      fmt::format_to(std::back_inserter(out), "{:{}}{}: {}{}\n", "", 2 + 2 * step.depth,
                     place(step.file, step.line, step.column, report.source_root), step.message,
                     step.is_loop_start ? " (from here on it repeats)" : "");
    }
  }
  return out;
}

}  // namespace nestor::lint
