// SARIF 2.1.0 (OASIS standard, 27 March 2020), with what GitHub's code scanning asks for besides.

#include "base/json_writer.h"
#include "lint/report.h"
#include "lint/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace nestor::lint {

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

void write_text(base::JsonWriter& json, std::string_view name, std::string_view text) {
  json.begin_object(name).member("text", text).end_object();
}

void write_physical(base::JsonWriter& json, const std::string& file, std::uint32_t line,
                    std::uint32_t column, const std::string& root) {
  const std::string name = relative_to(file.empty() ? "unknown" : file, root);
  json.begin_object("physicalLocation").begin_object("artifactLocation");
  if (name.starts_with('/')) {
    json.member("uri", "file://" + percent_encoded(name));
  } else {
    json.member("uri", percent_encoded(name)).member("uriBaseId", "%SRCROOT%");
  }
  json.end_object().begin_object("region").member("startLine", std::max(line, 1U));
  if (column > 0) {
    json.member("startColumn", column);
  }
  json.end_object().end_object();
}

void write_rule(base::JsonWriter& json, const Rule& rule) {
  json.line().begin_object().member("id", rule.id);
  write_text(json, "shortDescription", rule.title);
  write_text(json, "fullDescription", rule.meaning.empty() ? rule.title : rule.meaning);
  json.line();
  write_text(json, "help",
             fmt::format("{}\n\nFix: {}\n\nAssumes: {}\n\nFormula: {}", rule.title, rule.fix,
                         rule.assumes, rule.formula));
  json.begin_object("defaultConfiguration").member("level", to_string(rule.severity));
  json.member("enabled", rule.is_default).end_object();
  json.line().begin_object("properties").begin_array("tags").value("correctness");
  if (!rule.cwe.empty()) {
    json.value("security").value(fmt::format("external/cwe/cwe-{}", rule.cwe.substr(4)));
  }
  if (!rule.cert.empty()) {
    json.value("CERT " + rule.cert);
  }
  json.end_array().member("problem.severity", rule.severity == Rule::Severity::Note
                                                  ? "recommendation"
                                                  : to_string(rule.severity));
  json.end_object().end_object();
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

/// As the standard calls them (3.38.8).
std::vector<std::string_view> kinds_of(const PathStep& step) {
  switch (step.kind) {
    case PathStep::Kind::Branch:
      return {"branch", step.is_true ? "true" : "false"};
    case PathStep::Kind::Call:
      return {"call", "function"};
    case PathStep::Kind::Return:
      return {"return", "function"};
    case PathStep::Kind::Event:
      return {"danger"};
  }
  return {};
}

void write_flow(base::JsonWriter& json, const Warning& warning, const std::string& root) {
  if (warning.path.empty()) {
    return;
  }
  json.line().begin_array("codeFlows").begin_object().begin_array("threadFlows").begin_object();
  json.begin_array("locations");
  std::size_t loop = 0;
  std::size_t order = 0;
  for (const std::size_t i : shown_steps(warning.path.size())) {
    const PathStep& step = warning.path[i];
    const bool first_or_last = i == 0 || i + 1 == warning.path.size();
    json.line().begin_object().begin_object("location");
    write_physical(json, step.file, step.line, step.column, root);
    write_text(json, "message", step.message);
    json.end_object().begin_array("kinds");
    for (const std::string_view kind : kinds_of(step)) {
      json.value(kind);
    }
    json.end_array().member("nestingLevel", step.depth).member("executionOrder", ++order);
    json.member("importance", first_or_last ? "essential" : "important").end_object();
    if (step.is_loop_start) {
      loop = order;
    }
  }
  json.end_array();
  if (loop > 0) {
    json.begin_object("properties").member("loopStart", loop).end_object();
  }
  json.end_object().end_array().end_object().end_array();
}

void write_result(base::JsonWriter& json, const Warning& warning, std::size_t rule_index,
                  const std::string& root) {
  json.line().begin_object().member("ruleId", warning.rule->id).member("ruleIndex", rule_index);
  json.member("level", to_string(warning.rule->severity));
  write_text(json, "message", warning.message);
  json.line().begin_array("locations").begin_object();
  write_physical(json, warning.file, warning.line, warning.column, root);
  json.begin_array("logicalLocations").begin_object();
  json.member("fullyQualifiedName", warning.function).member("kind", "function");
  json.end_object().end_array().end_object().end_array();
  json.line().begin_object("partialFingerprints");
  json.member("primaryLocationLineHash", warning.fingerprint + ":1");
  json.member("nestor/v1", warning.fingerprint).end_object();
  write_flow(json, warning, root);
  json.end_object();
}

void write_notification(base::JsonWriter& json, std::string_view level, std::string_view text) {
  json.begin_object().member("level", level);
  write_text(json, "message", text);
  json.end_object();
}

}  // namespace

std::string report_sarif(const LintReport& report) {
  std::vector<const Warning*> kept;
  for (const Warning& warning : report.warnings) {
    kept.push_back(&warning);
  }
  if (kept.size() > kMostResults) {
    std::stable_sort(kept.begin(), kept.end(), [](const Warning* a, const Warning* b) {
      return a->rule->severity < b->rule->severity;
    });
    kept.resize(kMostResults);
  }
  std::string out;
  base::JsonWriter json(out);
  json.begin_object().member("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json.line().member("version", "2.1.0");
  json.line().begin_array("runs").begin_object().line().begin_object("tool");
  json.begin_object("driver").member("name", "nestor").member("version", report.version);
  json.begin_array("rules");
  for (const Rule* rule : report.rules) {
    write_rule(json, *rule);
  }
  json.end_array().end_object().end_object();
  json.line().member("columnKind", "utf16CodeUnits");
  json.line().begin_object("originalUriBaseIds").begin_object("%SRCROOT%");
  json.member("uri", "file://" + percent_encoded(report.source_root) + "/");
  json.end_object().end_object().line().begin_array("invocations").begin_object();
  json.member("executionSuccessful", report.unknown.empty());
  json.begin_array("toolExecutionNotifications");
  if (report.warnings.size() > kMostResults) {
    write_notification(json, "warning",
                       fmt::format("{} warnings, of which the {} most severe are listed",
                                   report.warnings.size(), kMostResults));
  }
  for (const std::string& note : report.notes) {
    write_notification(json, "note", note);
  }
  for (const std::string& unknown : report.unknown) {
    write_notification(json, "error", "no verdict: " + unknown);
  }
  json.end_array().end_object().end_array().line().begin_array("results");
  for (const Warning* warning : kept) {
    const auto index = static_cast<std::size_t>(
        std::find(report.rules.begin(), report.rules.end(), warning->rule) - report.rules.begin());
    write_result(json, *warning, index, report.source_root);
  }
  json.end_array().end_object().end_array().end_object();
  return out + '\n';
}

}  // namespace nestor::lint
