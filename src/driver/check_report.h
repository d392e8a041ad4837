#pragma once

#include <nestor/check.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::driver {

/// A witness as it is printed; empty where it is not wanted or there is none.
struct WitnessTexts {
  std::string text;
  std::string json;
  std::string reason;  ///< why there is none, though it is wanted
};

/// A formula as its author gave it.
struct FormulaText {
  std::string name;  ///< empty if it has none
  std::string text;
};

/// Everything that `nestor check` found out, ready to be printed.
struct CheckReport {
  std::string model;   ///< the file's name
  std::string engine;  ///< id
  std::vector<FormulaText> formulas;
  std::vector<Result> results;            ///< one a formula
  std::vector<WitnessTexts> witnesses;    ///< one a formula or none at all
  std::vector<std::string> certificates;  ///< paths, one a formula or none at all
  std::vector<std::string> warnings;      ///< about the model and the formulas
  const Statistics* statistics = nullptr;
  bool reproducible = false;  ///< nothing is told that differs from run to run
};

/// Adds the warnings about witnesses that there are none of.
void warn_of_missing_witnesses(CheckReport& report);

/// One line a formula, its verdict first.
std::string verdict_lines(const CheckReport& report);
/// One line a formula, in the form of the Model Checking Contest.
std::string mcc_lines(const CheckReport& report);
/// One JSON object (docs/cli.md).
std::string verdict_json(const CheckReport& report);
/// The result of one formula as an object on a line of its own, and what is known in the end.
std::string result_line(const CheckReport& report, std::size_t formula);
std::string end_line(const CheckReport& report);
/// One line a statistic, sorted by name.
std::string statistics_lines(const Statistics& statistics);
/// 0, 1 or 3.
int exit_status(std::span<const Result> results);

}  // namespace nestor::driver
