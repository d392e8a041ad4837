// nestor lint: rules on C and C++ programs. nestor rules: which there are.

#include "base/input.h"
#include "base/json_writer.h"
#include "base/limits.h"
#include "driver/bitcode.h"
#include "driver/check_report.h"
#include "driver/commands.h"
#include "driver/progress.h"
#include "driver/settings.h"
#include "driver/version.h"
#include "engine/registry.h"
#include "lint/explanation.h"
#include "lint/linter.h"
#include "lint/report.h"
#include "lint/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

namespace nestor::driver {

namespace {

std::vector<lint::Rule> all_rules(const Options& options) {
  std::vector<lint::Rule> rules;
  if (options.rule_files.empty()) {
    return lint::builtin_rules();
  }
  for (const std::string& file : options.rule_files) {
    for (lint::Rule& rule : lint::read_rules(base::Input::read(file))) {
      if (std::any_of(rules.begin(), rules.end(),
                      [&](const lint::Rule& other) { return other.id == rule.id; })) {
        throw base::Error(base::Error::Kind::Input, fmt::format("a second rule '{}'", rule.id),
                          {file, 0, 0});
      }
      rules.push_back(std::move(rule));
    }
  }
  return rules;
}

const lint::Rule& rule_named(const std::vector<lint::Rule>& rules, const std::string& id) {
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [&](const lint::Rule& rule) { return rule.id == id; });
  if (found == rules.end()) {
    throw base::Error(base::Error::Kind::Usage,
                      fmt::format("unknown rule '{}', 'nestor rules' lists them", id));
  }
  return *found;
}

std::vector<const lint::Rule*> chosen_rules(const std::vector<lint::Rule>& rules,
                                            const Options& options) {
  std::vector<const lint::Rule*> chosen;
  for (const std::string& id : options.rule_ids) {
    const lint::Rule* rule = &rule_named(rules, id);
    if (std::find(chosen.begin(), chosen.end(), rule) == chosen.end()) {
      chosen.push_back(rule);
    }
  }
  if (options.rule_ids.empty()) {
    for (const lint::Rule& rule : rules) {
      if (rule.is_default || options.all_rules) {
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

void write(const std::string& path, const std::string& text, const Streams& streams) {
  if (path.empty() || path == "-") {
    streams.out << text;
    return;
  }
  base::OutputFile file(path);
  file.write(text);
  file.commit();
}

std::string source_root(const Options& options) {
  std::string root =
      std::filesystem::absolute(options.source_root.empty() ? "." : options.source_root)
          .lexically_normal()
          .string();
  while (root.size() > 1 && root.back() == '/') {
    root.pop_back();
  }
  return root;
}

}  // namespace

int run_lint(const Options& options, const Streams& streams) {
  if (!options.explain.empty()) {
    const std::vector<lint::Rule> known = all_rules(options);
    streams.out << lint::explanation(rule_named(known, options.explain));
    return kAllHold;
  }
  if (options.programs.empty()) {
    throw base::Error(base::Error::Kind::Usage, "PROGRAM is required");
  }
  session::Settings settings = settings_of(options);
  // A mistake in its name is told at once; one engine for all slices, with calls or without.
  settings.engine =
      options.engine.empty() ? engine::default_engine().id : engine::find_engine(options.engine).id;
  const std::vector<lint::Rule> rules = all_rules(options);
  lint::LintReport report;
  report.rules = chosen_rules(rules, options);
  report.programs = options.programs;
  report.version = kVersion;
  report.source_root = source_root(options);

  // What is small is read first, so that mistakes are told before a large program is read.
  const std::vector<std::string> known =
      options.baseline.empty() ? std::vector<std::string>()
                               : lint::read_baseline(base::Input::read(options.baseline));

  base::Statistics statistics;
  const base::Stopwatch reading;
  const program::Externals externals = program::externals_with(options.externals);
  const program::Program program = load_program(options, externals);
  statistics.add_seconds("read.seconds", reading.seconds());
  statistics.add("program.functions", program.functions.size());
  statistics.add("program.indirect_calls", program.indirect_calls);
  statistics.add("program.indirect_targets", program.indirect_targets);
  for (const std::string& warning : program.warnings) {
    streams.err << fmt::format("nestor: warning: {}\n", warning);
  }
  if (program.over_approximates && !options.quiet) {
    streams.err << "nestor: note: calls through pointers, or longjmp, have several targets: a "
                   "warning's path need "
                   "not be one of the program\n";
  }

  const base::Stopwatch checking;
  ProgressLine line(streams);
  const auto progress = [&](std::size_t rule) {
    if (options.quiet) {
      return;
    }
    line.report({session::Progress::Work::Deciding, rule, report.rules.size()});
    if (options.progress && !streams.err_is_terminal) {
      streams.err << fmt::format("nestor: {}/{} {}\n", rule + 1, report.rules.size(),
                                 report.rules[rule]->id);
    }
  };
  lint::LintResult found =
      lint::lint({program, externals, report.rules, settings, !options.no_refutation, progress}, statistics);
  line.clear();
  statistics.add_seconds("check.seconds", checking.seconds());
  lint::Sources sources;
  if (!options.system_headers) {
    lint::drop_system_headers(found.warnings);
  }
  lint::drop_suppressed(found.warnings, sources);
  lint::add_fingerprints(found.warnings, sources, report.source_root);
  if (!options.write_baseline.empty()) {
    write(options.write_baseline, lint::write_baseline(found.warnings, report.source_root),
          streams);
  }
  drop_known(found.warnings, known);
  report.warnings = std::move(found.warnings);
  report.unknown = std::move(found.unknown);
  report.notes = std::move(found.notes);
  write(options.output,
        options.lint_format == "sarif"   ? lint::report_sarif(report)
        : options.lint_format == "junit" ? lint::report_junit(report)
                                         : lint::report_text(report),
        streams);
  for (const std::string& note : report.notes) {
    streams.err << fmt::format("nestor: note: {}\n", note);
  }
  for (const std::string& unknown : report.unknown) {
    streams.err << fmt::format("nestor: no verdict for {}\n", unknown);
  }
  if (!options.quiet) {
    streams.err << fmt::format("nestor: {}\n", lint::summary(report));
  }
  statistics.add("lint.warnings", report.warnings.size());
  statistics.add("memory.peak_bytes", base::peak_resident_bytes());
  if (options.stats) {
    streams.err << statistics_lines(statistics);
  }
  return !report.warnings.empty() ? kSomeFail : (!report.unknown.empty() ? kSomeUnknown : kAllHold);
}

int run_rules(const Options& options, const Streams& streams) {
  const std::vector<lint::Rule> rules = all_rules(options);
  if (options.json) {
    std::string out;
    base::JsonWriter json(out);
    json.begin_object().begin_array("rules");
    for (const lint::Rule& rule : rules) {
      json.line().begin_object().member("id", rule.id).member("title", rule.title);
      json.member("severity", lint::to_string(rule.severity)).member("cwe", rule.cwe);
      json.member("cert", rule.cert).member("scope", lint::to_string(rule.scope));
      json.member("default", rule.is_default).member("formula", rule.formula);
      json.member("fix", rule.fix).member("assumes", rule.assumes).end_object();
    }
    json.end_array().end_object();
    streams.out << out << '\n';
    return kAllHold;
  }
  for (const lint::Rule& rule : rules) {
    streams.out << fmt::format("{:<28} {:<8} {:<4} {:<9} {:<8} {}\n", rule.id,
                               lint::to_string(rule.severity), rule.is_default ? "on" : "off",
                               rule.cwe, rule.cert, rule.title);
  }
  return kAllHold;
}

}  // namespace nestor::driver
