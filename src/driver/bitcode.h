#pragma once

#include "driver/load.h"
#include "driver/options.h"
#include "program/program.h"

#include <span>
#include <string>

namespace nestor {

// What needs LLVM; without it, these throw Error (Usage).

/// Fills model, name, bytes and warnings.
void load_bitcode(const Options& options, LoadedModel& loaded);
/// The program in some bitcode files, by the options --externals and --max-targets.
Program load_program(std::span<const std::string> paths, const Options& options);

}  // namespace nestor
