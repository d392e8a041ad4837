// Options as users write them.

#include "driver/options.h"

#include <fmt/format.h>

namespace nestor::driver {

namespace {

struct DefaultText {
  std::string operator()(bool /*value*/) const { return {}; }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<std::string>& /*value*/) const { return {}; }
  std::string operator()(std::uint64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  template <class T>
  std::string operator()(const std::optional<T>& value) const {
    return value ? fmt::format("{}", *value) : std::string();
  }
};

/// The values of an option that are not its default.
struct GivenValues {
  const OptionRow& row;
  std::vector<std::string>& values;

  void operator()(bool value) const {
    if (value) {
      values.emplace_back();
    }
  }
  void operator()(const std::vector<std::string>& value) const {
    values.insert(values.end(), value.begin(), value.end());
  }
  template <class T>
  void operator()(const T& value) const {
    if (std::string text = DefaultText()(value); text != default_text(row)) {
      values.push_back(std::move(text));
    }
  }
};

}  // namespace

std::string default_text(const OptionRow& row) {
  const Options defaults;
  return std::visit([&](auto field) { return DefaultText()(defaults.*field); }, row.field);
}

std::vector<std::string_view> spellings(const OptionRow& row) {
  std::vector<std::string_view> result;
  std::string_view rest = row.name;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    result.push_back(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return result;
}

std::vector<std::string> given_options(std::string_view command, const Options& options,
                                       bool (*passes_over)(const OptionRow& row)) {
  std::vector<std::string> given;
  for (const OptionRow& row : option_table()) {
    if (row.command != command || passes_over(row)) {
      continue;
    }
    std::vector<std::string> values;
    std::visit([&](auto field) { GivenValues{row, values}(options.*field); }, row.field);
    for (const std::string& value : values) {
      given.push_back(row.is_operand() ? value
                      : row.is_flag()  ? std::string(spellings(row).back())
                                       : fmt::format("{}={}", spellings(row).back(), value));
    }
  }
  return given;
}

}  // namespace nestor::driver
