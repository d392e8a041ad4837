// nestor lint: rules on C and C++ programs. nestor rules: which there are.

#include "base/json_document.h"
#include "base/limits.h"
#include "driver/check_report.h"
#include "driver/commands.h"
#include "driver/lint_report.h"
#include "driver/output.h"
#include "driver/progress.h"
#include "driver/report_page.h"
#include "driver/settings.h"
#include "driver/shard.h"

#include <fmt/format.h>

#include <nestor/program.h>
#include <nestor/version.h>
#include <optional>
#include <ostream>

namespace nestor::driver {

namespace {

LintRequest request_of(const Options& options, const Streams& streams, ProgressLine& line) {
  LintRequest request;
  request.programs = options.programs;
  request.rule_files = options.rule_files;
  request.rule_ids = options.rule_ids;
  request.all_rules = options.all_rules;
  request.externals = options.externals;
  request.most_targets = options.max_targets;
  request.baseline = options.baseline;
  request.source_root = options.source_root;
  request.system_headers = options.system_headers;
  request.settings = settings_of(options);
  request.refutes = !options.no_refutation;
  request.last_step = options.value_steps == "none"         ? ValueStep::None
                      : options.value_steps == "constants"  ? ValueStep::Constants
                      : options.value_steps == "outcomes"   ? ValueStep::Outcomes
                      : options.value_steps == "conditions" ? ValueStep::Conditions
                                                            : ValueStep::Refutation;
  request.read = [&](const std::vector<std::string>& warnings, bool over_approximates) {
    for (const std::string& warning : warnings) {
      streams.err << fmt::format("nestor: warning: {}\n", warning);
    }
    if (over_approximates && !options.quiet) {
      streams.err << "nestor: note: calls through pointers, or longjmp, have several targets: a "
                     "warning's path need "
                     "not be one of the program\n";
    }
  };
  request.progress = [&](std::size_t rule, std::size_t count, const std::string& id) {
    if (options.quiet) {
      return;
    }
    line.report({Progress::Work::Deciding, rule, count});
    if (options.progress && !streams.err_is_terminal) {
      streams.err << fmt::format("nestor: {}/{} {}\n", rule + 1, count, id);
    }
  };
  return request;
}

}  // namespace

std::string formatted(const LintReport& report, const std::string& format) {
  return format == "sarif"   ? report.sarif()
         : format == "junit" ? report.junit()
         : format == "json"  ? report.json()
                             : report.text();
}

int tell_rest(const LintReport& report, bool quiet, const Streams& streams) {
  for (const std::string& note : report.notes()) {
    streams.err << fmt::format("nestor: note: {}\n", note);
  }
  for (const std::string& unknown : report.unknown()) {
    streams.err << fmt::format("nestor: no verdict for {}\n", unknown);
  }
  if (!quiet) {
    streams.err << fmt::format("nestor: {}\n", report.summary());
  }
  return report.warning_count() > 0 ? kSomeFail
                                    : (!report.unknown().empty() ? kSomeUnknown : kAllHold);
}

int run_lint(const Options& options, const Streams& streams) {
  if (!options.explain.empty()) {
    streams.out << explain_rule(options.explain, options.rule_files);
    return kAllHold;
  }
  const std::optional<Shard> shard = shard_of(options);
  ProgressLine line(streams);
  if (shard) {
    const Part found = check_rules(request_of(options, streams, line), *shard);
    line.clear();
    Part part = begin_part("lint", options, *shard);
    part.format = options.lint_format;
    part.content = found.content;
    part.costs = found.costs;
    write_output(options.output, part.json(), streams);
    return kAllHold;
  }
  const LintReport report = check_rules(request_of(options, streams, line));
  line.clear();
  if (!options.write_baseline.empty()) {
    write_output(options.write_baseline, report.baseline(), streams);
  }
  write_output(options.output, formatted(report, options.lint_format), streams);
  if (!options.html.empty()) {
    write_output(options.html, lint_page(report, options), streams);
  }
  const int status = tell_rest(report, options.quiet, streams);
  if (options.stats) {
    Statistics statistics = report.statistics();
    statistics.counters["memory.peak_bytes"] += base::peak_resident_bytes();
    streams.err << statistics_lines(statistics);
  }
  return status;
}

int run_rules(const Options& options, const Streams& streams) {
  const std::vector<Rule> all = rules(options.rule_files);
  if (options.json) {
    std::string out;
    base::JsonWriter json(out);
    base::begin_document(json, "rules", version()).begin_array("rules");
    for (const Rule& rule : all) {
      json.line().begin_object().member("id", rule.id).member("title", rule.title);
      json.member("severity", rule.severity).member("cwe", rule.cwe);
      json.member("cert", rule.cert).member("scope", rule.scope);
      json.member("default", rule.is_default).member("formula", rule.formula);
      json.member("fix", rule.fix).member("assumes", rule.assumes).end_object();
    }
    json.end_array().end_object();
    streams.out << out << '\n';
    return kAllHold;
  }
  for (const Rule& rule : all) {
    streams.out << fmt::format("{:<28} {:<8} {:<4} {:<9} {:<8} {}\n", rule.id, rule.severity,
                               rule.is_default ? "on" : "off", rule.cwe, rule.cert, rule.title);
  }
  return kAllHold;
}

}  // namespace nestor::driver
