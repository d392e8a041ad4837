#pragma once

#include "driver/options.h"
#include "program/externals.h"
#include "program/program.h"

namespace nestor {

// What needs LLVM; without it, this throws Error (Usage).

/// The program that `nestor lint` is asked about.
Program load_program(const Options& options, const Externals& externals);

}  // namespace nestor
