#pragma once

#include <string_view>

namespace nestor::driver {

/// Of nestor, as CMake knows it.
extern const std::string_view kVersion;

}  // namespace nestor::driver
