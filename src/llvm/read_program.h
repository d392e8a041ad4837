#pragma once

#include "base/input.h"
#include "program/externals.h"
#include "program/program.h"

#include <cstddef>
#include <span>
#include <string>

namespace nestor::bitcode {

/// How a program is read.
struct ReadProgramOptions {
  std::size_t most_targets = 256;  ///< of one indirect call; more are left out, with a warning
  bool propagates_constants = true;
};

/// Reads a `.bc` or `.ll` file, links `more` of them to it in memory and takes from them what
/// happens where. The only way into this folder besides the compiler wrapper; LLVM's types stay
/// inside. Throws Error.
program::Program read_program(const base::Input& first, std::span<const std::string> more,
                              const program::Externals& externals,
                              const ReadProgramOptions& options);

}  // namespace nestor::bitcode
