#pragma once

#include <nestor/export.h>
#include <string_view>

namespace nestor {

/// Of the library that the program runs with, such as `0.2.0` (docs/stability.md).
NESTOR_API std::string_view version();
/// True if it reads C and C++ programs.
NESTOR_API bool has_llvm();

}  // namespace nestor
