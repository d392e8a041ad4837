#include "net/glpk_library.h"

#include "base/shared_library.h"

#include <optional>

namespace nestor::net {

namespace {

std::optional<GlpkLibrary> load() {
  const base::SharedLibrary library(NESTOR_GLPK_NAME);
  GlpkLibrary glpk{};
#define NESTOR_GLPK_FIND(name) &&library.find("glp_" #name, glpk.name)
  return true NESTOR_GLPK_FUNCTIONS(NESTOR_GLPK_FIND) ? std::optional(glpk) : std::nullopt;
#undef NESTOR_GLPK_FIND
}

}  // namespace

const GlpkLibrary* glpk_library() {
  static const std::optional<GlpkLibrary> loaded = load();
  return loaded ? &*loaded : nullptr;
}

}  // namespace nestor::net
