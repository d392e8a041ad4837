#include "engine/registry.h"

#include "base/error.h"
#include "engine/reference/reference.h"
#include "engine/summary/summary.h"

#include <fmt/format.h>

#include <array>

namespace nestor {

namespace {
constexpr std::array kEngines{
    EngineInfo{"summary", "exit summaries, bit-parallel over formulas of one shape",
               "docs/engines.md, after Alur et al. 2005", make_summary},
    EngineInfo{"reference", "the semantics by plain iteration over all contexts; small models only",
               "docs/semantics.md", make_reference},
};
constexpr std::string_view kDefaultEngine = "summary";
}  // namespace

std::span<const EngineInfo> engine_registry() {
  return kEngines;
}

const EngineInfo& default_engine() {
  return find_engine(kDefaultEngine);
}

const EngineInfo& find_engine(std::string_view id) {
  std::string known;
  for (const EngineInfo& info : kEngines) {
    if (info.id == id) {
      return info;
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", info.id);
  }
  throw Error(Error::Kind::Usage,
              fmt::format("unknown engine '{}', expected one of: {}", id, known));
}

}  // namespace nestor
