#pragma once

#include "lint/rule.h"
#include "lint/warning.h"

#include <string>
#include <string_view>
#include <vector>

namespace nestor::lint {

/// What is reported, in whichever form.
struct LintReport {
  std::vector<std::string> programs;  ///< the files that were checked
  std::vector<const Rule*> rules;     ///< that were checked
  std::vector<Warning> warnings;
  std::vector<std::string> unknown;  ///< rules without a verdict, and why
  std::vector<std::string> notes;    ///< what was left out of the warnings
  std::string source_root;           ///< files below it are named relative to it
  std::string version;               ///< of nestor
};

/// `event`, `branch`, `call` or `return`.
std::string_view to_string(PathStep::Kind kind);
/// `12 warnings (3 errors) by 5 rules in 1 program`
std::string summary(const LintReport& report);
/// `file:line:column: warning: message [rule]`, below it the steps of the path, indented.
std::string report_text(const LintReport& report);
/// SARIF 2.1.0, within the limits that GitHub sets.
std::string report_sarif(const LintReport& report);
/// One object, as share/nestor/schema/lint.schema.json says.
std::string report_json(const LintReport& report);
/// JUnit XML: one test suite a program, one test case a rule.
std::string report_junit(const LintReport& report);

}  // namespace nestor::lint
