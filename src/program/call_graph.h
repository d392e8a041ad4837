#pragma once

#include "program/program.h"

#include <cstdint>
#include <vector>

namespace nestor::program {

/// By function: those that call it.
using Callers = std::vector<std::vector<FunctionId>>;
Callers callers_in(const Program& program);

/// By function: some chain of calls leads to a function of `targets`, or it is one.
std::vector<std::uint8_t> functions_reaching(const Callers& callers,
                                             const std::vector<FunctionId>& targets);

/// Some chain of calls leads from the function to itself.
bool calls_itself(const Program& program, FunctionId function);

}  // namespace nestor::program
