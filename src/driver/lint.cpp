// nestor lint: rules on C and C++ programs. nestor rules: which there are.

#include "base/input.h"
#include "base/json.h"
#include "base/limits.h"
#include "driver/bitcode.h"
#include "driver/check_report.h"
#include "driver/commands.h"
#include "driver/load.h"
#include "driver/version.h"
#include "engine/registry.h"
#include "lint/linter.h"
#include "lint/report.h"
#include "lint/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <thread>

namespace nestor {

namespace {

std::vector<Rule> all_rules(const Options& options) {
  std::vector<Rule> rules;
  if (options.rule_files.empty()) {
    return builtin_rules();
  }
  for (const std::string& file : options.rule_files) {
    for (Rule& rule : read_rules(Input::read(file))) {
      if (std::any_of(rules.begin(), rules.end(),
                      [&](const Rule& other) { return other.id == rule.id; })) {
        throw Error(Error::Kind::Input, fmt::format("a second rule '{}'", rule.id), {file, 0, 0});
      }
      rules.push_back(std::move(rule));
    }
  }
  return rules;
}

std::vector<const Rule*> chosen_rules(const std::vector<Rule>& rules, const Options& options) {
  std::vector<const Rule*> chosen;
  for (const std::string& id : options.rule_ids) {
    const auto found =
        std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.id == id; });
    if (found == rules.end()) {
      throw Error(Error::Kind::Usage,
                  fmt::format("unknown rule '{}', 'nestor rules' lists them", id));
    }
    if (std::find(chosen.begin(), chosen.end(), &*found) == chosen.end()) {
      chosen.push_back(&*found);
    }
  }
  if (options.rule_ids.empty()) {
    for (const Rule& rule : rules) {
      if (rule.is_default || options.all_rules) {
        chosen.push_back(&rule);
      }
    }
  }
  return chosen;
}

/// `known` is sorted.
void drop_known(std::vector<Warning>& warnings, const std::vector<std::string>& known) {
  warnings.erase(std::remove_if(warnings.begin(), warnings.end(),
                                [&](const Warning& warning) {
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
  OutputFile file(path);
  file.write(text);
  file.commit();
}

Env environment(const Options& options, Statistics& statistics) {
  Env env;
  env.limits = limits_of(options);
  env.jobs = options.jobs == 0 ? std::max(1U, std::thread::hardware_concurrency())
                               : static_cast<unsigned>(std::min<std::uint64_t>(options.jobs, 1024));
  env.statistics = &statistics;
  return env;
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
  const EngineInfo& engine =
      options.engine.empty() ? default_engine() : find_engine(options.engine);
  const std::vector<Rule> rules = all_rules(options);
  LintReport report;
  report.rules = chosen_rules(rules, options);
  report.programs = options.programs;
  report.version = kVersion;
  report.source_root = source_root(options);

  // What is small is read first, so that mistakes are told before a large program is read.
  const std::vector<std::string> known = options.baseline.empty()
                                             ? std::vector<std::string>()
                                             : read_baseline(Input::read(options.baseline));

  Statistics statistics;
  Env env = environment(options, statistics);
  const Stopwatch reading;
  const Externals externals = load_externals(options);
  const Program program = load_program(options.programs, externals, options);
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

  const Stopwatch checking;
  LintResult found = lint({program, externals, report.rules, engine.make}, env);
  statistics.add_seconds("check.seconds", checking.seconds());
  Sources sources;
  drop_suppressed(found.warnings, sources);
  add_fingerprints(found.warnings, sources, report.source_root);
  if (!options.write_baseline.empty()) {
    write(options.write_baseline, write_baseline(found.warnings, report.source_root), streams);
  }
  drop_known(found.warnings, known);
  report.warnings = std::move(found.warnings);
  report.unknown = std::move(found.unknown);
  report.notes = std::move(found.notes);
  write(options.output,
        options.lint_format == "sarif"   ? report_sarif(report)
        : options.lint_format == "junit" ? report_junit(report)
                                         : report_text(report),
        streams);
  for (const std::string& note : report.notes) {
    streams.err << fmt::format("nestor: note: {}\n", note);
  }
  for (const std::string& unknown : report.unknown) {
    streams.err << fmt::format("nestor: no verdict for {}\n", unknown);
  }
  statistics.add("lint.warnings", report.warnings.size());
  statistics.add("memory.peak_bytes", peak_resident_bytes());
  if (options.stats) {
    streams.err << statistics_lines(statistics);
  }
  return !report.warnings.empty() ? kSomeFail : (!report.unknown.empty() ? kSomeUnknown : kAllHold);
}

int run_rules(const Options& options, const Streams& streams) {
  const std::vector<Rule> rules = all_rules(options);
  if (options.json) {
    std::string list;
    for (const Rule& rule : rules) {
      list += fmt::format(
          "{}{{\"id\":{},\"title\":{},\"severity\":\"{}\",\"cwe\":{},\"cert\":{},\"scope\":\"{}\","
          "\"default\":{},"
          "\"formula\":{},\"fix\":{},\"assumes\":{}}}",
          list.empty() ? "" : ",\n", json_string(rule.id), json_string(rule.title),
          to_string(rule.severity), json_string(rule.cwe), json_string(rule.cert),
          to_string(rule.scope), rule.is_default, json_string(rule.formula), json_string(rule.fix),
          json_string(rule.assumes));
    }
    streams.out << fmt::format("{{\"rules\":[\n{}]}}\n", list);
    return kAllHold;
  }
  for (const Rule& rule : rules) {
    streams.out << fmt::format("{:<28} {:<8} {:<4} {:<9} {:<8} {}\n", rule.id,
                               to_string(rule.severity), rule.is_default ? "on" : "off", rule.cwe,
                               rule.cert, rule.title);
  }
  return kAllHold;
}

}  // namespace nestor
