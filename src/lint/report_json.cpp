#include "base/json_document.h"
#include "lint/report.h"

#include <array>

namespace nestor::lint {

namespace {

void write_place(base::JsonWriter& json, const std::string& file, std::uint32_t line,
                 std::uint32_t column) {
  json.member("file", file).member("line", line).member("column", column);
}

void write_warning(base::JsonWriter& json, const Warning& warning) {
  json.line().begin_object().member("rule", warning.rule->id);
  json.member("severity", to_string(warning.rule->severity));
  write_place(json, warning.file, warning.line, warning.column);
  json.member("function", warning.function).member("subject", warning.subject);
  json.member("message", warning.message).member("fingerprint", warning.fingerprint);
  json.begin_array("path");
  for (const PathStep& step : warning.path) {
    json.begin_object().member("kind", to_string(step.kind));
    write_place(json, step.file, step.line, step.column);
    json.member("message", step.message).member("depth", step.depth).end_object();
  }
  json.end_array().end_object();
}

void write_texts(base::JsonWriter& json, std::string_view name,
                 const std::vector<std::string>& texts) {
  json.line().begin_array(name);
  for (const std::string& text : texts) {
    json.value(text);
  }
  json.end_array();
}

}  // namespace

std::string_view to_string(PathStep::Kind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"event", "branch", "call", "return"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string report_json(const LintReport& report) {
  std::string out;
  base::JsonWriter json(out);
  base::begin_document(json, "lint", report.version).line().begin_array("warnings");
  for (const Warning& warning : report.warnings) {
    write_warning(json, warning);
  }
  json.end_array();
  write_texts(json, "unknown", report.unknown);
  write_texts(json, "notes", report.notes);
  json.end_object();
  return out + '\n';
}

}  // namespace nestor::lint
