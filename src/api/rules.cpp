// Rules on programs: reads them, has them checked, and tells what they say.

#include "api/bitcode.h"
#include "base/input.h"
#include "base/limits.h"
#include "engine/registry.h"
#include "lint/explanation.h"
#include "lint/linter.h"
#include "lint/part.h"
#include "lint/report.h"
#include "lint/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <nestor/program.h>
#include <nestor/version.h>

namespace nestor {

namespace {

void add_rules(std::vector<lint::Rule>& rules, const base::Input& input) {
  for (lint::Rule& rule : lint::read_rules(input)) {
    if (std::any_of(rules.begin(), rules.end(),
                    [&](const lint::Rule& other) { return other.id == rule.id; })) {
      throw Error(Error::Kind::Input, fmt::format("a second rule '{}'", rule.id),
                  {input.name(), 0, 0});
    }
    rules.push_back(std::move(rule));
  }
}

std::vector<lint::Rule> read_all(const std::vector<std::string>& files) {
  if (files.empty()) {
    return lint::builtin_rules();
  }
  std::vector<lint::Rule> rules;
  for (const std::string& file : files) {
    add_rules(rules, base::Input::read(file));
  }
  return rules;
}

std::vector<lint::Rule> rules_of(const std::vector<lint::Part::RuleFile>& files) {
  if (files.empty()) {
    return lint::builtin_rules();
  }
  std::vector<lint::Rule> rules;
  for (const lint::Part::RuleFile& file : files) {
    add_rules(rules, base::Input::from_text(file.name, file.text));
  }
  return rules;
}

const lint::Rule& rule_named(const std::vector<lint::Rule>& rules, const std::string& id) {
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [&](const lint::Rule& rule) { return rule.id == id; });
  if (found == rules.end()) {
    throw Error(Error::Kind::Usage,
                fmt::format("unknown rule '{}', 'nestor rules' lists them", id));
  }
  return *found;
}

std::vector<const lint::Rule*> chosen_rules(const std::vector<lint::Rule>& rules,
                                            const LintRequest& request) {
  std::vector<const lint::Rule*> chosen;
  for (const std::string& id : request.rule_ids) {
    const lint::Rule* rule = &rule_named(rules, id);
    if (std::find(chosen.begin(), chosen.end(), rule) == chosen.end()) {
      chosen.push_back(rule);
    }
  }
  if (request.rule_ids.empty()) {
    for (const lint::Rule& rule : rules) {
      if (rule.is_default || request.all_rules) {
        chosen.push_back(&rule);
      }
    }
  }
  return chosen;
}

/// `known` is sorted.
void drop_known(std::vector<lint::Warning>& warnings, const std::vector<std::string>& known) {
  warnings.erase(std::remove_if(warnings.begin(), warnings.end(),
                                [&](const lint::Warning& warning) {
                                  return std::binary_search(known.begin(), known.end(),
                                                            warning.fingerprint);
                                }),
                 warnings.end());
}

std::string absolute_root(const std::string& given) {
  std::string root =
      std::filesystem::absolute(given.empty() ? "." : given).lexically_normal().string();
  while (root.size() > 1 && root.back() == '/') {
    root.pop_back();
  }
  return root;
}

}  // namespace

struct LintReport::Impl {
  std::vector<lint::Rule> rules;
  lint::LintReport report;
  std::string baseline;
  base::Statistics statistics;
};

std::vector<Rule> rules(const std::vector<std::string>& files) {
  std::vector<Rule> out;
  for (const lint::Rule& rule : read_all(files)) {
    out.push_back({rule.id, rule.title, std::string(lint::to_string(rule.severity)), rule.cwe,
                   rule.cert, std::string(lint::to_string(rule.scope)), rule.formula, rule.fix,
                   rule.assumes, rule.is_default});
  }
  return out;
}

std::string explain_rule(const std::string& id, const std::vector<std::string>& files) {
  const std::vector<lint::Rule> all = read_all(files);
  return lint::explanation(rule_named(all, id));
}

namespace {

/// What is small is read first, so that mistakes are told before a large program is read.
struct Preparation {
  explicit Preparation(const LintRequest& request) : settings(request.settings) {
    if (request.programs.empty()) {
      throw Error(Error::Kind::Usage, "PROGRAM is required");
    }
    // A mistake in its name is told at once; one engine for all slices, with calls or without.
    settings.engine = settings.engine.empty() ? engine::default_engine().id
                                              : engine::find_engine(settings.engine).id;
    impl->rules = read_all(request.rule_files);
    impl->report.rules = chosen_rules(impl->rules, request);
    impl->report.programs = request.programs;
    impl->report.source_root = absolute_root(request.source_root);
    if (!request.baseline.empty()) {
      known = lint::read_baseline(base::Input::read(request.baseline));
    }
  }

  std::shared_ptr<LintReport::Impl> impl = std::make_shared<LintReport::Impl>();
  Settings settings;
  std::vector<std::string> known;  // fingerprints
};

lint::Findings find(const LintRequest& request, const Preparation& prepared,
                    lint::WorkShare* share) {
  base::Statistics& statistics = prepared.impl->statistics;
  const base::Stopwatch reading;
  const program::Externals externals = program::externals_with(request.externals);
  const program::Program program = load_program(request, externals);
  statistics.add_seconds("read.seconds", reading.seconds());
  statistics.add("program.functions", program.functions.size());
  statistics.add("program.indirect_calls", program.indirect_calls);
  statistics.add("program.indirect_targets", program.indirect_targets);
  if (request.read) {
    request.read(program.warnings, program.over_approximates);
  }
  const std::vector<const lint::Rule*>& rules = prepared.impl->report.rules;
  const auto progress = [&](std::size_t rule) {
    if (request.progress) {
      request.progress(rule, rules.size(), rules[rule]->id);
    }
  };
  const base::Stopwatch checking;
  lint::Findings findings =
      lint::find({.program = program,
                  .externals = externals,
                  .rules = rules,
                  .settings = prepared.settings,
                  .refutes = request.refutes && request.last_step >= ValueStep::Refutation,
                  .values = {.outcomes = request.last_step >= ValueStep::Outcomes,
                             .conditions = request.last_step >= ValueStep::Conditions},
                  .progress = progress,
                  .share = share},
                 statistics);
  lint::Sources sources;
  lint::look_up(findings.warnings, sources);
  statistics.add_seconds("check.seconds", checking.seconds());
  return findings;
}

/// What is told of all that was found. `known` is sorted.
void conclude(LintReport::Impl& impl, lint::Findings findings, bool system_headers,
              const std::vector<std::string>& known) {
  lint::LintReport& report = impl.report;
  report.version = version();
  lint::LintResult found = lint::conclusion(std::move(findings), report.rules);
  if (!system_headers) {
    lint::drop_system_headers(found.warnings);
  }
  lint::drop_suppressed(found.warnings);
  lint::add_fingerprints(found.warnings, report.source_root);
  impl.baseline = lint::write_baseline(found.warnings, report.source_root);
  drop_known(found.warnings, known);
  report.warnings = std::move(found.warnings);
  report.unknown = std::move(found.unknown);
  report.notes = std::move(found.notes);
  impl.statistics.add("lint.warnings", report.warnings.size());
}

}  // namespace

LintReport check_rules(const LintRequest& request) {
  const Preparation prepared(request);
  conclude(*prepared.impl, find(request, prepared, nullptr), request.system_headers,
           prepared.known);
  return LintReport(prepared.impl);
}

Part check_rules(const LintRequest& request, const Shard& shard) {
  assert(shard.number > 0 && shard.number <= shard.count);
  const Preparation prepared(request);
  lint::WorkShare::Costs costs;
  for (const ShardCost& cost : shard.costs) {
    costs[{cost.rule, cost.unit}] += cost.seconds;
  }
  lint::WorkShare share(shard.number - 1, shard.count, std::move(costs));
  const lint::LintReport& report = prepared.impl->report;
  lint::Part part{.programs = report.programs,
                  .source_root = report.source_root,
                  .known = prepared.known,
                  .system_headers = request.system_headers,
                  .findings = find(request, prepared, &share)};
  for (const std::string& file : request.rule_files) {
    part.rule_files.push_back({file, std::string(base::Input::read(file).text())});
  }
  for (const lint::Rule* rule : report.rules) {
    part.rules.push_back(rule->id);
  }
  Part out{.version = std::string(version()),
           .number = shard.number,
           .count = shard.count,
           .content = lint::write_part(part, report.rules)};
  for (lint::Findings::Cost& cost : part.findings.costs) {
    out.costs.push_back({std::move(cost.rule), std::move(cost.unit), cost.seconds});
  }
  return out;
}

LintReport merge_rules(const std::vector<Part>& parts) {
  auto impl = std::make_shared<LintReport::Impl>();
  lint::Findings findings;
  lint::Part first;
  for (const Part& part : parts) {
    const lint::PartReader reader(base::Input::from_text(part.file, part.content));
    if (&part == &parts.front()) {
      first = reader.part();
      impl->rules = rules_of(first.rule_files);
      impl->report.rules =
          chosen_rules(impl->rules, {.programs = first.programs, .rule_ids = first.rules});
      impl->report.programs = first.programs;
      impl->report.source_root = first.source_root;
    } else if (reader.part().rules != first.rules || reader.part().known != first.known ||
               reader.part().programs != first.programs ||
               reader.part().source_root != first.source_root) {
      throw Error(Error::Kind::Input,
                  fmt::format("it is of another run than {}", parts.front().file),
                  {part.file, 0, 0});
    }
    lint::add(findings, reader.findings(impl->report.rules));
  }
  conclude(*impl, std::move(findings), first.system_headers, first.known);
  return LintReport(std::move(impl));
}

std::vector<LintReport::Warning> LintReport::warnings() const {
  std::vector<Warning> out;
  for (const lint::Warning& warning : impl_->report.warnings) {
    Warning copy{warning.rule->id,    std::string(lint::to_string(warning.rule->severity)),
                 warning.file,        warning.line,
                 warning.column,      warning.function,
                 warning.subject,     warning.message,
                 warning.fingerprint, {}};
    for (const lint::PathStep& step : warning.path) {
      copy.path.push_back({std::string(lint::to_string(step.kind)), step.file, step.line,
                           step.column, step.message, step.depth});
    }
    out.push_back(std::move(copy));
  }
  return out;
}

std::size_t LintReport::warning_count() const {
  return impl_->report.warnings.size();
}
const std::vector<std::string>& LintReport::unknown() const {
  return impl_->report.unknown;
}
const std::vector<std::string>& LintReport::notes() const {
  return impl_->report.notes;
}
std::string LintReport::summary() const {
  return lint::summary(impl_->report);
}
std::string LintReport::text() const {
  return lint::report_text(impl_->report);
}
std::string LintReport::sarif() const {
  return lint::report_sarif(impl_->report);
}
std::string LintReport::json() const {
  return lint::report_json(impl_->report);
}
std::string LintReport::junit() const {
  return lint::report_junit(impl_->report);
}
std::string LintReport::baseline() const {
  return impl_->baseline;
}
Statistics LintReport::statistics() const {
  return {impl_->statistics.counters(), impl_->statistics.seconds()};
}

}  // namespace nestor
