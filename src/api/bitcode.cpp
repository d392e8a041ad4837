// What needs LLVM: the compiler wrapper and programs as bitcode. bitcode_absent.cpp stands in for
// this file where LLVM is missing.

#include "api/bitcode.h"

#include "base/input.h"
#include "llvm/compiler_wrapper.h"
#include "llvm/read_program.h"

#include <nestor/version.h>

namespace nestor {

bool has_llvm() {
  return true;
}

program::Program load_program(const LintRequest& request, const program::Externals& externals) {
  return bitcode::read_program(base::Input::read(request.programs.front()),
                               std::span(request.programs).subspan(1), externals,
                               {.most_targets = request.most_targets,
                                .propagates_constants = request.last_step >= ValueStep::Constants});
}

CompilerOutcome run_compiler(const std::string& compiler,
                             const std::vector<std::string>& arguments) {
  bitcode::CompilerOutcome outcome = bitcode::run_compiler({compiler, arguments});
  return {outcome.status, std::move(outcome.warnings)};
}

}  // namespace nestor
