#include "driver/check_report.h"

#include "base/json_document.h"
#include "driver/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <nestor/version.h>

namespace nestor::driver {

namespace {

/// Counters and times as text under their names; a map, so sorted.
std::map<std::string, std::string> texts_of(const Statistics& statistics) {
  std::map<std::string, std::string> texts;
  for (const auto& [name, value] : statistics.counters) {
    texts[name] = fmt::format("{}", value);
  }
  for (const auto& [name, value] : statistics.seconds) {
    texts[name] = fmt::format("{:.6f}", value);
  }
  return texts;
}

void append(fmt::memory_buffer& out, std::string_view text) {
  out.append(text);
}

/// A value that was asked for is always told; by which way a verdict was found depends on what else
/// is asked.
std::string how_of(const CheckReport& report, const Result& result) {
  return report.reproducible && !result.how.starts_with("= ") ? std::string() : result.how;
}

void write_result(base::JsonWriter& json, const CheckReport& report, std::size_t i) {
  const FormulaText& formula = report.formulas[i];
  const Result& result = report.results[i];
  if (!formula.name.empty()) {
    json.member("name", formula.name);
  }
  json.member("formula", formula.text).member("verdict", to_string(result.verdict));
  if (result.verdict == Verdict::Unknown) {
    json.member("reason", result.reason);
  }
  if (const std::string how = how_of(report, result); !how.empty()) {
    json.member("how", how);
  }
  if (!report.reproducible) {
    json.member("engine", result.engine.empty() ? report.engine : result.engine)
        .member("contexts", result.contexts);
    json.key("seconds").seconds(result.seconds);
  }
  if (i < report.certificates.size() && !report.certificates[i].empty()) {
    json.member("certificate", report.certificates[i]);
  }
  if (i < report.witnesses.size() && !report.witnesses[i].json.empty()) {
    json.line().key("witness").json(report.witnesses[i].json);
  }
  json.end_object();
}

void write_end(base::JsonWriter& json, const CheckReport& report) {
  json.begin_array("warnings");
  for (const std::string& warning : report.warnings) {
    json.line().value(warning);
  }
  json.end_array().line().begin_object("stats");
  if (!report.reproducible) {
    for (const auto& [name, value] : texts_of(*report.statistics)) {
      json.line().key(name).json(value);
    }
  }
  json.end_object().end_object();
}

}  // namespace

void warn_of_missing_witnesses(CheckReport& report) {
  for (std::size_t i = 0; i < report.witnesses.size(); ++i) {
    if (const std::string& reason = report.witnesses[i].reason; !reason.empty()) {
      report.warnings.push_back(fmt::format("no witness for formula {}: {}", i + 1, reason));
    }
  }
}

std::string verdict_lines(const CheckReport& report) {
  assert(report.formulas.size() == report.results.size());
  fmt::memory_buffer out;
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    const FormulaText& formula = report.formulas[i];
    const Result& result = report.results[i];
    fmt::format_to(std::back_inserter(out), "{:<7} ", to_string(result.verdict));
    if (!formula.name.empty()) {
      append(out, formula.name);
      append(out, ": ");
    }
    append(out, formula.text);
    if (result.verdict == Verdict::Unknown) {
      fmt::format_to(std::back_inserter(out), " ({})", result.reason);
    } else if (const std::string how = how_of(report, result); !how.empty()) {
      fmt::format_to(std::back_inserter(out), " ({})", how);
    }
    out.push_back('\n');
    if (i < report.witnesses.size()) {
      append(out, report.witnesses[i].text);
    }
  }
  return fmt::to_string(out);
}

std::string mcc_lines(const CheckReport& report) {
  assert(report.formulas.size() == report.results.size());
  fmt::memory_buffer out;
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    const std::string& name = report.formulas[i].name;
    const Verdict verdict = report.results[i].verdict;
    fmt::format_to(std::back_inserter(out), "FORMULA {} {}\n",
                   name.empty() ? fmt::format("{}", i + 1) : name,
                   verdict == Verdict::Holds   ? "TRUE TECHNIQUES EXPLICIT"
                   : verdict == Verdict::Fails ? "FALSE TECHNIQUES EXPLICIT"
                                               : "CANNOT_COMPUTE");
  }
  return fmt::to_string(out);
}

std::string verdict_json(const CheckReport& report) {
  assert(report.formulas.size() == report.results.size());
  std::string out;
  base::JsonWriter json(out);
  base::begin_document(json, "check", version())
      .member("model", report.model)
      .line()
      .begin_array("results");
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    json.line().begin_object();
    write_result(json, report, i);
  }
  json.end_array().line();
  write_end(json, report);
  return out + '\n';
}

std::string result_line(const CheckReport& report, std::size_t formula) {
  std::string out;
  base::JsonWriter json(out);
  base::begin_document(json, "check-result", version())
      .member("model", report.model)
      .member("number", formula + 1);
  write_result(json, report, formula);
  // A witness is written on several lines; line ends inside strings are escaped.
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out + '\n';
}

std::string end_line(const CheckReport& report) {
  std::string out;
  base::JsonWriter json(out);
  base::begin_document(json, "check-end", version()).member("model", report.model);
  write_end(json, report);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out + '\n';
}

std::string statistics_lines(const Statistics& statistics) {
  fmt::memory_buffer out;
  for (const auto& [name, value] : texts_of(statistics)) {
    fmt::format_to(std::back_inserter(out), "{:<40} {:>16}\n", name, value);
  }
  return fmt::to_string(out);
}

int exit_status(std::span<const Result> results) {
  int status = kAllHold;
  for (const Result& result : results) {
    if (result.verdict == Verdict::Fails) {
      return kSomeFail;
    }
    if (result.verdict == Verdict::Unknown) {
      status = kSomeUnknown;
    }
  }
  return status;
}

}  // namespace nestor::driver
