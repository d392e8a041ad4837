#pragma once

#include "program/program.h"

#include <optional>

namespace nestor::program {

/// What a term of the function is, if that follows from constants.
std::optional<std::int64_t> constant_of(const Function& function, ValueId value);

/// Puts constants where a value can be nothing else, over the whole program: locals that are only
/// ever given one, results of functions that always return one. Branches that are never taken go,
/// and with them what they would have written.
void propagate_constants(Program& program);

}  // namespace nestor::program
