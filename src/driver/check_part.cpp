#include "driver/check_part.h"

#include <fmt/format.h>

#include <cassert>
#include <charconv>
#include <map>
#include <string>

namespace nestor::driver {

namespace {

/// A pass over the model for each temporal operator; in a net a search of its own for each formula.
double estimated_cost(const Formula& formula) {
  constexpr double kAlways = 1;
  constexpr double kBytesOfOperator = 16;  // where a formula is no formula of CTL
  if (formula.op().empty()) {
    return kAlways + static_cast<double>(formula.text().size()) / kBytesOfOperator;
  }
  double cost = kAlways;
  std::vector<Formula> open = {formula};
  while (!open.empty()) {
    const Formula one = std::move(open.back());
    open.pop_back();
    const std::string_view op = one.op();
    cost += op.starts_with('E') || op.starts_with('A') ? 1 : 0;
    for (Formula& operand : one.operands()) {
      open.push_back(std::move(operand));
    }
  }
  return cost;
}

std::string field(const Part& part, const Part::Row& row, const std::string& name) {
  const auto found = row.find(name);
  if (found == row.end()) {
    throw Error(Error::Kind::Input, fmt::format("a row without '{}'", name), {part.file, 0, 0});
  }
  return found->second;
}

Verdict verdict_of(const Part& part, const std::string& text) {
  for (const Verdict verdict : {Verdict::Holds, Verdict::Fails, Verdict::Unknown}) {
    if (to_string(verdict) == text) {
      return verdict;
    }
  }
  throw Error(Error::Kind::Input, fmt::format("'{}' is no verdict", text), {part.file, 0, 0});
}

std::size_t number_of(const Part& part, const std::string& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw Error(Error::Kind::Input, fmt::format("'{}' is no number", text), {part.file, 0, 0});
  }
  return number;
}

}  // namespace

std::vector<std::size_t> shared_formulas(const std::vector<Formula>& formulas, const Shard& shard) {
  std::map<std::string, double> known;
  for (const ShardCost& cost : shard.costs) {
    known[cost.unit] += cost.seconds;
  }
  std::vector<double> costs;
  for (const Formula& formula : formulas) {
    const auto found = known.find(formula.text());
    costs.push_back(known.empty()          ? estimated_cost(formula)
                    : found == known.end() ? 0
                                           : found->second);
  }
  const std::vector<std::size_t> owners = balanced_shards(costs, shard.count);
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (owners[i] == shard.number) {
      positions.push_back(i);
    }
  }
  return positions;
}

void add_results(Part& part, const CheckReport& report, const std::vector<std::size_t>& positions) {
  assert(positions.size() == report.results.size());
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    const Result& result = report.results[i];
    Part::Row& row = part.rows.emplace_back();
    row["position"] = fmt::format("{}", positions[i]);
    row["name"] = report.formulas[i].name;
    row["formula"] = report.formulas[i].text;
    row["verdict"] = to_string(result.verdict);
    row["reason"] = result.reason;
    row["how"] = result.how;
    if (i < report.witnesses.size()) {
      row["witness_text"] = report.witnesses[i].text;
      row["witness_json"] = report.witnesses[i].json;
      row["witness_reason"] = report.witnesses[i].reason;
    }
    part.costs.push_back({"", report.formulas[i].text, result.seconds});
  }
}

CheckReport merged_results(const std::vector<Part>& parts) {
  CheckReport report;
  report.model = parts.front().subject;
  report.warnings = parts.front().warnings;
  report.reproducible = true;
  std::size_t count = 0;
  for (const Part& part : parts) {
    count += part.rows.size();
  }
  report.formulas.resize(count);
  report.results.resize(count);
  report.witnesses.resize(count);
  std::vector<bool> seen(count);
  for (const Part& part : parts) {
    for (const Part::Row& row : part.rows) {
      const std::size_t i = number_of(part, field(part, row, "position"));
      if (i >= count || seen[i]) {
        throw Error(
            Error::Kind::Input,
            fmt::format("formula {} of {} is there twice, or a formula is missing", i + 1, count),
            {part.file, 0, 0});
      }
      seen[i] = true;
      report.formulas[i] = {field(part, row, "name"), field(part, row, "formula")};
      report.results[i].verdict = verdict_of(part, field(part, row, "verdict"));
      report.results[i].reason = field(part, row, "reason");
      report.results[i].how = field(part, row, "how");
      if (row.count("witness_text") != 0) {
        report.witnesses[i] = {field(part, row, "witness_text"), field(part, row, "witness_json"),
                               field(part, row, "witness_reason")};
      }
    }
  }
  return report;
}

}  // namespace nestor::driver
