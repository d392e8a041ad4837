#pragma once

#include <span>
#include <string_view>

namespace nestor::lint {

/// rules/default.toml
extern const std::string_view kBuiltinRules;

/// A file of rules/examples
struct BuiltinExample {
  std::string_view name;
  std::string_view text;
};
extern const std::span<const BuiltinExample> kBuiltinExamples;

}  // namespace nestor::lint
