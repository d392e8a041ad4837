#pragma once

#include "program/program.h"

#include <string>
#include <string_view>

namespace nestor::lint {

/// The name of a function as people know it: of C++ with its scope, without parameters and result;
/// others as they are.
std::string readable_name(std::string_view name);
std::string readable_name(const program::Program& program, const program::Function& function);

/// `function::x` → `x`, whichever of several variables of that name it is.
std::string_view short_name(std::string_view variable);

}  // namespace nestor::lint
