#pragma once

#include "driver/options.h"
#include "program/externals.h"
#include "program/program.h"

namespace nestor::driver {

// What needs LLVM; without it, this throws Error (Usage).

/// The program that `nestor lint` is asked about.
program::Program load_program(const Options& options, const program::Externals& externals);

}  // namespace nestor::driver
