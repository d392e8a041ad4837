#pragma once

#include "program/externals.h"
#include "program/program.h"

#include <nestor/program.h>

namespace nestor {

// What needs LLVM; without it, this throws Error (Usage).

/// The program that rules are asked about.
program::Program load_program(const LintRequest& request, const program::Externals& externals);

}  // namespace nestor
