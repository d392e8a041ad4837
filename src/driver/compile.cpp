// nestor cc, nestor c++: compilers that leave bitcode beside what they make.

#include "driver/commands.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nestor/program.h>
#include <ostream>

namespace nestor::driver {

namespace {

int run_wrapper(const std::string& compiler, const Options& options, const Streams& streams) {
  const CompilerOutcome outcome = run_compiler(compiler, options.arguments);
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

int run_cc(const Options& options, const Streams& streams) {
  return run_wrapper(named_in("NESTOR_CLANG", "clang-19"), options, streams);
}

int run_cxx(const Options& options, const Streams& streams) {
  return run_wrapper(named_in("NESTOR_CLANGXX", "clang++-19"), options, streams);
}

}  // namespace nestor::driver
