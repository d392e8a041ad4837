// Stands in for bitcode.cpp where LLVM is missing: the functions exist and say so.

#include "api/bitcode.h"

#include <nestor/version.h>

namespace nestor {

namespace {

[[noreturn]] void refuse() {
  throw Error(Error::Kind::Usage,
              "this nestor was built without LLVM and cannot read C and C++ programs");
}

}  // namespace

bool has_llvm() {
  return false;
}

program::Program load_program(const LintRequest&, const program::Externals&) {
  refuse();
}

CompilerOutcome run_compiler(const std::string&, const std::vector<std::string>&) {
  refuse();
}

}  // namespace nestor
