#pragma once

#include <string_view>

namespace nestor::program {

/// data/externals.toml
extern const std::string_view kBuiltinExternals;

}  // namespace nestor::program
