#pragma once

#include <string_view>

namespace nestor {

/// data/externals.toml
extern const std::string_view kBuiltinExternals;

}  // namespace nestor
