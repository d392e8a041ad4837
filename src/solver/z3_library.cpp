#include "solver/z3_library.h"

#include "base/shared_library.h"

#include <optional>

namespace nestor::solver {

namespace {

std::optional<Z3Library> load() {
  const base::SharedLibrary library(NESTOR_Z3_NAME);
  Z3Library z3{};
#define NESTOR_Z3_FIND(name) &&library.find("Z3_" #name, z3.name)
  return true NESTOR_Z3_FUNCTIONS(NESTOR_Z3_FIND) ? std::optional(z3) : std::nullopt;
#undef NESTOR_Z3_FIND
}

}  // namespace

const Z3Library* z3_library() {
  static const std::optional<Z3Library> loaded = load();
  return loaded ? &*loaded : nullptr;
}

}  // namespace nestor::solver
