// SARIF 2.1.0 (OASIS standard, 27 March 2020), with what GitHub's code scanning asks for besides.

#include "base/json.h"
#include "lint/report.h"
#include "lint/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace nestor {

namespace {

// GitHub keeps 5 000 results of a run and takes 10 000 locations a result, of which it shows 1 000.
constexpr std::size_t kMostResults = 5000;
constexpr std::size_t kMostLocations = 1000;

std::string percent_encoded(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/+@,=").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string artifact(const std::string& file, const std::string& root) {
  const std::string name = relative_to(file.empty() ? "unknown" : file, root);
  return name.starts_with('/')
             ? fmt::format("{{\"uri\":{}}}", json_string("file://" + percent_encoded(name)))
             : fmt::format("{{\"uri\":{},\"uriBaseId\":\"%SRCROOT%\"}}",
                           json_string(percent_encoded(name)));
}

std::string physical(const std::string& file, std::uint32_t line, std::uint32_t column,
                     const std::string& root) {
  return fmt::format("{{\"artifactLocation\":{},\"region\":{{\"startLine\":{}{}}}}}",
                     artifact(file, root), std::max(line, 1U),
                     column > 0 ? fmt::format(",\"startColumn\":{}", column) : "");
}

std::string rule_json(const Rule& rule) {
  std::string tags = "\"correctness\"";
  if (!rule.cwe.empty()) {
    tags += fmt::format(",\"security\",{}",
                        json_string(fmt::format("external/cwe/cwe-{}", rule.cwe.substr(4))));
  }
  if (!rule.cert.empty()) {
    tags += fmt::format(",{}", json_string("CERT " + rule.cert));
  }
  const std::string help = fmt::format("{}\n\nFix: {}\n\nAssumes: {}\n\nFormula: {}", rule.title,
                                       rule.fix, rule.assumes, rule.formula);
  return fmt::format(
      "{{\"id\":{},\"shortDescription\":{{\"text\":{}}},\"fullDescription\":{{\"text\":{}}},"
      "\n\"help\":{{\"text\":{}}},"
      "\"defaultConfiguration\":{{\"level\":\"{}\",\"enabled\":{}}},\n\"properties\":{{\"tags\":[{}"
      "],"
      "\"problem.severity\":\"{}\"}}}}",
      json_string(rule.id), json_string(rule.title), json_string(rule.title), json_string(help),
      to_string(rule.severity), rule.is_default, tags,
      rule.severity == Rule::Severity::Note ? "recommendation" : to_string(rule.severity));
}

/// The steps that are shown: all, or the first and the last ones.
std::vector<std::size_t> shown_steps(std::size_t count) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < count; ++i) {
    if (count <= kMostLocations || i < kMostLocations / 2 || i >= count - kMostLocations / 2) {
      shown.push_back(i);
    }
  }
  return shown;
}

std::string flow_json(const Warning& warning, const std::string& root) {
  if (warning.path.empty()) {
    return {};
  }
  std::string locations;
  std::string loop;
  std::size_t order = 0;
  for (const std::size_t i : shown_steps(warning.path.size())) {
    const PathStep& step = warning.path[i];
    const bool first_or_last = i == 0 || i + 1 == warning.path.size();
    fmt::format_to(std::back_inserter(locations),
                   "{}{{\"location\":{{\"physicalLocation\":{},\"message\":{{\"text\":{}}}}},"
                   "\"nestingLevel\":{},"
                   "\"executionOrder\":{},\"importance\":\"{}\"}}",
                   locations.empty() ? "" : ",\n",
                   physical(step.file, step.line, step.column, root), json_string(step.message),
                   step.depth, ++order, first_or_last ? "essential" : "important");
    if (step.is_loop_start) {
      loop = fmt::format(",\"properties\":{{\"loopStart\":{}}}", order);
    }
  }
  return fmt::format(",\n\"codeFlows\":[{{\"threadFlows\":[{{\"locations\":[\n{}]{}}}]}}]",
                     locations, loop);
}

std::string result_json(const Warning& warning, std::size_t rule_index, const std::string& root) {
  return fmt::format(
      "{{\"ruleId\":{},\"ruleIndex\":{},\"level\":\"{}\",\"message\":{{\"text\":{}}},\n"
      "\"locations\":[{{\"physicalLocation\":{},\"logicalLocations\":[{{\"fullyQualifiedName\":{},"
      "\"kind\":\"function\"}}]}}],\n\"partialFingerprints\":{{\"primaryLocationLineHash\":{},"
      "\"nestor/v1\":{}}}{}}}",
      json_string(warning.rule->id), rule_index, to_string(warning.rule->severity),
      json_string(warning.message), physical(warning.file, warning.line, warning.column, root),
      json_string(warning.function), json_string(warning.fingerprint + ":1"),
      json_string(warning.fingerprint), flow_json(warning, root));
}

}  // namespace

std::string report_sarif(const LintReport& report) {
  std::vector<const Warning*> kept;
  for (const Warning& warning : report.warnings) {
    kept.push_back(&warning);
  }
  std::string notifications;
  const auto notify = [&](const std::string& text, std::string_view level) {
    fmt::format_to(std::back_inserter(notifications),
                   "{}{{\"level\":\"{}\",\"message\":{{\"text\":{}}}}}",
                   notifications.empty() ? "" : ",", level, json_string(text));
  };
  if (kept.size() > kMostResults) {
    notify(fmt::format("{} warnings, of which the {} most severe are listed", kept.size(),
                       kMostResults),
           "warning");
    std::stable_sort(kept.begin(), kept.end(), [](const Warning* a, const Warning* b) {
      return a->rule->severity < b->rule->severity;
    });
    kept.resize(kMostResults);
  }
  for (const std::string& note : report.notes) {
    notify(note, "note");
  }
  for (const std::string& unknown : report.unknown) {
    notify("no verdict: " + unknown, "error");
  }
  std::string rules;
  for (const Rule* rule : report.rules) {
    rules += (rules.empty() ? "" : ",\n") + rule_json(*rule);
  }
  std::string results;
  for (const Warning* warning : kept) {
    const auto index = static_cast<std::size_t>(
        std::find(report.rules.begin(), report.rules.end(), warning->rule) - report.rules.begin());
    results += (results.empty() ? "" : ",\n") + result_json(*warning, index, report.source_root);
  }
  return fmt::format(
      "{{\"$schema\":\"https://json.schemastore.org/"
      "sarif-2.1.0.json\",\n\"version\":\"2.1.0\",\n\"runs\":[{{\n"
      "\"tool\":{{\"driver\":{{\"name\":\"nestor\",\"version\":{},\"rules\":[\n{}]}}}},\n"
      "\"columnKind\":\"utf16CodeUnits\",\n"
      "\"originalUriBaseIds\":{{\"%SRCROOT%\":{{\"uri\":{}}}}},\n"
      "\"invocations\":[{{\"executionSuccessful\":{},\"toolExecutionNotifications\":[{}]}}],\n"
      "\"results\":[\n{}]}}]}}\n",
      json_string(report.version), rules,
      json_string("file://" + percent_encoded(report.source_root) + "/"), report.unknown.empty(),
      notifications, results);
}

}  // namespace nestor
