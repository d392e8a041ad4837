#pragma once

#include <string_view>

namespace nestor::lint {

/// rules/default.toml
extern const std::string_view kBuiltinRules;

}  // namespace nestor::lint
