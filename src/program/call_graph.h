#pragma once

#include "program/program.h"

#include <cstdint>
#include <vector>

namespace nestor::program {

/// By function: some chain of calls leads to a function of `targets`, or it is one.
std::vector<std::uint8_t> functions_reaching(const Program& program,
                                             const std::vector<FunctionId>& targets);

/// Some chain of calls leads from the function to itself.
bool calls_itself(const Program& program, FunctionId function);

}  // namespace nestor::program
