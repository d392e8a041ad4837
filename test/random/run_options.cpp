#include "run_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace nestor::test {
namespace {

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end;
}

[[noreturn]] void refuse(std::string_view what) {
  fmt::print(stderr, "{}\n", what);
  std::exit(2);
}

}  // namespace

std::size_t scaled(std::size_t count) {
  const char* scale = std::getenv("NESTOR_SCALE");
  if (scale == nullptr || *scale == '\0') {
    return count;
  }
  double factor = 0;
  if (!read_number(std::string_view(scale), factor) || !(factor > 0 && factor <= 1e6)) {
    refuse(fmt::format("NESTOR_SCALE is '{}', expected a number above 0", scale));
  }
  return std::max<std::size_t>(
      1, static_cast<std::size_t>(std::llround(static_cast<double>(count) * factor)));
}

RunOptions read_options(int argc, char** argv, std::string_view count_name, RunOptions defaults) {
  RunOptions options = std::move(defaults);
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::size_t equals = std::min(argument.find('='), argument.size());
    const std::string_view name = argument.substr(0, equals);
    const std::string_view value = argument.substr(std::min(equals + 1, argument.size()));
    if (name == "--out" && !value.empty()) {
      options.folder = value;
    } else if (!(name == count_name && read_number(value, options.count)) &&
               !(name == "--seed" && read_number(value, options.seed))) {
      refuse(fmt::format("'{}': expected {}=N, --seed=S or --out=FOLDER", argument, count_name));
    }
  }
  options.count = scaled(options.count);
  return options;
}

}  // namespace nestor::test
