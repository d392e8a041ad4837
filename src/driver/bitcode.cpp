// What needs LLVM: the compiler wrapper and programs as bitcode. bitcode_absent.cpp stands in for
// this file where LLVM is missing.

#include "driver/bitcode.h"

#include "base/input.h"
#include "driver/commands.h"
#include "llvm/compiler_wrapper.h"
#include "llvm/read_program.h"

#include <fmt/format.h>

#include <cstdlib>
#include <ostream>

namespace nestor::driver {

namespace {

int run_wrapper(const std::string& compiler, const Options& options, const Streams& streams) {
  const bitcode::CompilerOutcome outcome = bitcode::run_compiler({compiler, options.arguments});
  for (const std::string& warning : outcome.warnings) {
    streams.err << fmt::format("nestor: warning: {}\n", warning);
  }
  return outcome.status;
}

std::string named_in(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

}  // namespace

program::Program load_program(const Options& options, const program::Externals& externals) {
  return bitcode::read_program(base::Input::read(options.programs.front()),
                               std::span(options.programs).subspan(1), externals,
                               {.most_targets = options.max_targets});
}

int run_cc(const Options& options, const Streams& streams) {
  return run_wrapper(named_in("NESTOR_CLANG", "clang-19"), options, streams);
}

int run_cxx(const Options& options, const Streams& streams) {
  return run_wrapper(named_in("NESTOR_CLANGXX", "clang++-19"), options, streams);
}

}  // namespace nestor::driver
