#include "lint/report.h"
#include "lint/sources.h"

#include <fmt/format.h>

#include <iterator>

namespace nestor::lint {

namespace {

/// As the text of an element or attribute. Characters that XML cannot hold become a question mark.
std::string xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return out;
}

}  // namespace

std::string report_junit(const LintReport& report) {
  std::string cases;
  std::size_t failures = 0;
  std::size_t errors = 0;
  for (const Rule* rule : report.rules) {
    std::string body;
    LintReport one;
    one.source_root = report.source_root;
    for (const Warning& warning : report.warnings) {
      if (warning.rule == rule) {
        one.warnings.push_back(warning);
      }
    }
    if (!one.warnings.empty()) {
      ++failures;
      fmt::format_to(std::back_inserter(body),
                     "<failure message=\"{} warning{}\" type=\"{}\">{}</failure>",
                     one.warnings.size(), one.warnings.size() == 1 ? "" : "s",
                     to_string(rule->severity), xml(report_text(one)));
    }
    for (const std::string& unknown : report.unknown) {
      if (unknown.starts_with(rule->id + ": ")) {
        ++errors;
        fmt::format_to(std::back_inserter(body), "<error message=\"{}\" type=\"unknown\"/>",
                       xml(unknown));
        break;
      }
    }
    fmt::format_to(std::back_inserter(cases),
                   "    <testcase classname=\"nestor\" name=\"{}\">{}</testcase>\n", xml(rule->id),
                   body);
  }
  const std::string name = xml(fmt::format("{}", fmt::join(report.programs, " ")));
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}  "
      "</testsuite>\n</testsuites>\n",
      name, report.rules.size(), failures, errors, cases);
}

}  // namespace nestor::lint
