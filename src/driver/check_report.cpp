#include "driver/check_report.h"

#include "base/json.h"
#include "driver/run.h"

#include <fmt/format.h>

#include <cassert>
#include <iterator>
#include <map>

namespace nestor {

namespace {

/// Counters and times as text under their names; a map, so sorted.
std::map<std::string, std::string> texts_of(const Statistics& statistics) {
  std::map<std::string, std::string> texts;
  for (const auto& [name, value] : statistics.counters()) {
    texts[name] = fmt::format("{}", value);
  }
  for (const auto& [name, value] : statistics.seconds()) {
    texts[name] = fmt::format("{:.6f}", value);
  }
  return texts;
}

void append(fmt::memory_buffer& out, std::string_view text) {
  out.append(text);
}

void append_result_json(fmt::memory_buffer& out, const NamedFormula& formula, const Result& result,
                        std::string_view engine, std::string_view certificate,
                        std::string_view witness) {
  append(out, "{");
  if (!formula.name.empty()) {
    append(out, "\"name\":");
    append_json_string(out, formula.name);
    append(out, ",");
  }
  append(out, "\"formula\":");
  append_json_string(out, formula.text);
  fmt::format_to(std::back_inserter(out), ",\"verdict\":\"{}\"", to_string(result.verdict));
  if (result.verdict == Verdict::Unknown) {
    append(out, ",\"reason\":");
    append_json_string(out, result.reason);
  }
  fmt::format_to(std::back_inserter(out), ",\"engine\":\"{}\",\"contexts\":{},\"seconds\":{:.6f}",
                 engine, result.contexts, result.seconds);
  if (!certificate.empty()) {
    append(out, ",\"certificate\":");
    append_json_string(out, certificate);
  }
  if (!witness.empty()) {
    append(out, ",\n\"witness\":");
    append(out, witness);
  }
  append(out, "}");
}

}  // namespace

std::string verdict_lines(const CheckReport& report) {
  assert(report.formulas.size() == report.results.size());
  fmt::memory_buffer out;
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    const NamedFormula& formula = report.formulas[i];
    const Result& result = report.results[i];
    fmt::format_to(std::back_inserter(out), "{:<7} ", to_string(result.verdict));
    if (!formula.name.empty()) {
      append(out, formula.name);
      append(out, ": ");
    }
    append(out, formula.text);
    if (result.verdict == Verdict::Unknown) {
      fmt::format_to(std::back_inserter(out), " ({})", result.reason);
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
  fmt::memory_buffer out;
  append(out, "{\"model\":");
  append_json_string(out, report.model);
  append(out, ",\n\"results\":[");
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    append(out, i == 0 ? "\n" : ",\n");
    append_result_json(out, report.formulas[i], report.results[i], report.engine,
                       i < report.certificates.size() ? report.certificates[i] : "",
                       i < report.witnesses.size() ? report.witnesses[i].json : "");
  }
  append(out, "],\n\"warnings\":[");
  for (std::size_t i = 0; i < report.warnings.size(); ++i) {
    append(out, i == 0 ? "\n" : ",\n");
    append_json_string(out, report.warnings[i]);
  }
  append(out, "],\n\"stats\":{");
  const char* separator = "\n";
  for (const auto& [name, value] : texts_of(*report.statistics)) {
    append(out, separator);
    append_json_string(out, name);
    append(out, ":" + value);
    separator = ",\n";
  }
  append(out, "}}\n");
  return fmt::to_string(out);
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

}  // namespace nestor
