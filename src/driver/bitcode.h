#pragma once

#include "driver/load.h"
#include "driver/options.h"
#include "program/externals.h"
#include "program/program.h"

#include <span>
#include <string>

namespace nestor {

// What needs LLVM; without it, these throw Error (Usage).

/// Fills model, name, bytes and warnings.
void load_bitcode(const Options& options, LoadedModel& loaded);
/// The shipped model of external functions, and what --externals adds.
Externals load_externals(const Options& options);
Program load_program(std::span<const std::string> paths, const Externals& externals,
                     const Options& options);

}  // namespace nestor
