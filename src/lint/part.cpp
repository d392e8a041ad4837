#include "lint/part.h"

#include "base/json_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>

namespace nestor::lint {

namespace {

constexpr std::uint32_t kNoVariable = std::numeric_limits<std::uint32_t>::max();

void write_bytes(base::JsonWriter& json, std::string_view name, const std::string& text) {
  json.member(name, base::text_of_bytes(text));
}

void write_byte_texts(base::JsonWriter& json, std::string_view name,
                      const std::vector<std::string>& texts) {
  json.line().begin_array(name);
  for (const std::string& text : texts) {
    json.value(base::text_of_bytes(text));
  }
  json.end_array();
}

void write_position(base::JsonWriter& json, const std::string& file, std::uint32_t line,
                    std::uint32_t column) {
  write_bytes(json, "file", file);
  json.member("line", line).member("column", column);
}

void write_step(base::JsonWriter& json, const PathStep& step) {
  json.begin_object().member("kind", static_cast<std::uint32_t>(step.kind));
  write_position(json, step.file, step.line, step.column);
  write_bytes(json, "message", step.message);
  json.member("depth", step.depth).member("true", step.is_true);
  json.member("loop", step.is_loop_start).end_object();
}

void write_finding(base::JsonWriter& json, const Warning& warning, std::size_t rule) {
  json.line().begin_object().member("rule", rule).member("unit", warning.unit);
  write_position(json, warning.file, warning.line, warning.column);
  write_bytes(json, "function", warning.function);
  write_bytes(json, "subject", warning.subject);
  json.member("variable", warning.variable.valid() ? warning.variable.value() : kNoVariable);
  write_bytes(json, "message", warning.message);
  write_bytes(json, "fault", warning.fault);
  json.member("suppressed", warning.is_suppressed);
  write_bytes(json, "source", warning.source_line);
  json.begin_array("path");
  for (const PathStep& step : warning.path) {
    write_step(json, step);
  }
  json.end_array().end_object();
}

void write_findings(base::JsonWriter& json, const Findings& findings,
                    const std::vector<const Rule*>& all) {
  json.line().begin_array("left_out");
  for (const Findings::LeftOut& left_out : findings.left_out) {
    json.begin_object().member("too_large", left_out.too_large);
    json.member("paths", left_out.paths).member("of_pairs", left_out.of_pairs).end_object();
  }
  json.end_array().line().begin_array("unknown");
  for (const Findings::Unknown& unknown : findings.unknown) {
    json.begin_object().member("rule", unknown.rule).member("unit", unknown.unit);
    write_bytes(json, "text", unknown.text);
    json.end_object();
  }
  json.end_array().line().begin_array("warnings");
  for (const Warning& warning : findings.warnings) {
    const auto rule = std::find(all.begin(), all.end(), warning.rule);
    assert(rule != all.end());
    write_finding(json, warning, static_cast<std::size_t>(rule - all.begin()));
  }
  json.end_array();
}

/// Reads what the functions above write.
class Texts {
 public:
  explicit Texts(std::string file) : file_(std::move(file)) {}

  std::string of(const base::JsonTree& tree, std::string_view name) const {
    return base::bytes_of_text(tree.text(name), file_);
  }
  std::vector<std::string> list(const base::JsonTree& tree, std::string_view name) const {
    std::vector<std::string> texts;
    for (const base::JsonTree& item : tree.list(name)) {
      texts.push_back(base::bytes_of_text(item.text(), file_));
    }
    return texts;
  }

 private:
  std::string file_;
};

std::uint32_t small(const base::JsonTree& tree, std::string_view name) {
  const std::uint64_t number = tree.number(name);
  if (number > std::numeric_limits<std::uint32_t>::max()) {
    tree.fail(fmt::format("'{}' is too large", name));
  }
  return static_cast<std::uint32_t>(number);
}

std::size_t rule_of(const base::JsonTree& tree, std::size_t rules) {
  const std::uint64_t number = tree.number("rule");
  if (number >= rules) {
    tree.fail(fmt::format("there is no rule {}, but {}", number, rules));
  }
  return number;
}

PathStep read_step(const base::JsonTree& tree, const Texts& texts) {
  const std::uint64_t kind = tree.number("kind");
  if (kind > static_cast<std::uint64_t>(PathStep::Kind::Return)) {
    tree.fail("a step of a path is of no known kind");
  }
  return {.kind = static_cast<PathStep::Kind>(kind),
          .file = texts.of(tree, "file"),
          .line = small(tree, "line"),
          .column = small(tree, "column"),
          .message = texts.of(tree, "message"),
          .depth = small(tree, "depth"),
          .is_true = tree.flag("true"),
          .is_loop_start = tree.flag("loop")};
}

Warning read_warning(const base::JsonTree& tree, const Texts& texts,
                     const std::vector<const Rule*>& rules) {
  Warning warning;
  warning.rule = rules[rule_of(tree, rules.size())];
  warning.unit = tree.number("unit");
  warning.file = texts.of(tree, "file");
  warning.line = small(tree, "line");
  warning.column = small(tree, "column");
  warning.function = texts.of(tree, "function");
  warning.subject = texts.of(tree, "subject");
  if (const std::uint32_t variable = small(tree, "variable"); variable != kNoVariable) {
    warning.variable = program::VariableId(variable);
  }
  warning.message = texts.of(tree, "message");
  warning.fault = texts.of(tree, "fault");
  warning.is_suppressed = tree.flag("suppressed");
  warning.source_line = texts.of(tree, "source");
  for (const base::JsonTree& step : tree.list("path")) {
    warning.path.push_back(read_step(step, texts));
  }
  return warning;
}

}  // namespace

std::string write_part(const Part& part, const std::vector<const Rule*>& all) {
  std::string out;
  base::JsonWriter json(out);
  json.begin_object();
  write_byte_texts(json, "programs", part.programs);
  json.line();
  write_bytes(json, "source_root", part.source_root);
  json.line().begin_array("rule_files");
  for (const Part::RuleFile& file : part.rule_files) {
    json.begin_object();
    write_bytes(json, "name", file.name);
    write_bytes(json, "text", file.text);
    json.end_object();
  }
  json.end_array();
  write_byte_texts(json, "rules", part.rules);
  write_byte_texts(json, "known", part.known);
  json.line().member("system_headers", part.system_headers);
  write_findings(json, part.findings, all);
  json.end_object();
  return out;
}

PartReader::PartReader(const base::Input& input)
    : file_(input.name()), json_(base::JsonTree::parse(input)) {
  const Texts texts(file_);
  part_.programs = texts.list(json_, "programs");
  part_.source_root = texts.of(json_, "source_root");
  for (const base::JsonTree& file : json_.list("rule_files")) {
    part_.rule_files.push_back({texts.of(file, "name"), texts.of(file, "text")});
  }
  part_.rules = texts.list(json_, "rules");
  part_.known = texts.list(json_, "known");
  part_.system_headers = json_.flag("system_headers");
}

Findings PartReader::findings(const std::vector<const Rule*>& rules) const {
  const Texts texts(file_);
  Findings findings;
  for (const base::JsonTree& left_out : json_.list("left_out")) {
    findings.left_out.push_back(
        {left_out.number("too_large"), left_out.number("paths"), left_out.number("of_pairs")});
  }
  if (findings.left_out.size() != rules.size()) {
    json_.fail(
        fmt::format("it is of {} rules, but names {}", findings.left_out.size(), rules.size()));
  }
  for (const base::JsonTree& unknown : json_.list("unknown")) {
    findings.unknown.push_back(
        {rule_of(unknown, rules.size()), unknown.number("unit"), texts.of(unknown, "text")});
  }
  for (const base::JsonTree& warning : json_.list("warnings")) {
    findings.warnings.push_back(read_warning(warning, texts, rules));
  }
  return findings;
}

}  // namespace nestor::lint
