// Stands in for bitcode.cpp where LLVM is missing: the commands exist and say so.

#include "base/error.h"
#include "driver/bitcode.h"
#include "driver/commands.h"

namespace nestor::driver {

namespace {

[[noreturn]] void refuse() {
  throw base::Error(base::Error::Kind::Usage,
                    "this nestor was built without LLVM and cannot read C and C++ programs");
}

}  // namespace

program::Program load_program(const Options&, const program::Externals&) {
  refuse();
}

int run_cc(const Options&, const Streams&) {
  refuse();
}

int run_cxx(const Options&, const Streams&) {
  refuse();
}

}  // namespace nestor::driver
