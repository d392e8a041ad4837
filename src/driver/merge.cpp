// nestor merge: the report of one run, of the parts that several have written.

#include "driver/check_part.h"
#include "driver/commands.h"
#include "driver/lint_report.h"
#include "driver/output.h"

#include <fmt/format.h>

#include <nestor/program.h>
#include <nestor/shard.h>
#include <ostream>

namespace nestor::driver {

namespace {

int merge_check(const std::vector<Part>& parts, const Options& options, const Streams& streams) {
  CheckReport report = merged_results(parts);
  const std::string& format = parts.front().format;
  warn_of_missing_witnesses(report);
  for (const std::string& warning : report.warnings) {
    if (format != "json") {
      streams.err << fmt::format("{}: warning: {}\n", report.model, warning);
    }
  }
  write_output(options.output,
               format == "json"  ? verdict_json(report)
               : format == "mcc" ? mcc_lines(report)
                                 : verdict_lines(report),
               streams);
  return exit_status(report.results);
}

int merge_lint(const std::vector<Part>& parts, const Options& options, const Streams& streams) {
  const LintReport report = merge_rules(parts);
  write_output(options.output, formatted(report, parts.front().format), streams);
  return tell_rest(report, options.quiet, streams);
}

}  // namespace

int run_merge(const Options& options, const Streams& streams) {
  std::vector<Part> parts;
  for (const std::string& path : options.parts) {
    parts.push_back(Part::read(path));
  }
  parts = complete_parts(std::move(parts));
  const std::string& command = parts.front().command;
  if (command != "check" && command != "lint") {
    throw Error(Error::Kind::Input, fmt::format("it is of the unknown command '{}'", command),
                {parts.front().file, 0, 0});
  }
  const int status = command == "check" ? merge_check(parts, options, streams)
                                        : merge_lint(parts, options, streams);
  if (!options.costs.empty()) {
    std::vector<ShardCost> costs;
    for (const Part& part : parts) {
      costs.insert(costs.end(), part.costs.begin(), part.costs.end());
    }
    write_output(options.costs, costs_json(costs), streams);
  }
  return status;
}

}  // namespace nestor::driver
