#include "session/oddities.h"

#include "model/inspect.h"

#include <fmt/format.h>

#include <string_view>

namespace nestor::session {

namespace {
constexpr std::size_t kMostUnknownNames = 5;
}  // namespace

void warn_of_unknown_propositions(const Subject& subject, const std::vector<std::string>& names,
                                  std::vector<std::string>& warnings) {
  const auto is_known = [&](std::string_view name) {
    for (std::size_t m = 0; m < subject.machine_count(); ++m) {
      if (subject.machine(m).find_prop(name).valid()) {
        return true;
      }
    }
    return false;
  };
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (!is_known(name) && ++count <= kMostUnknownNames) {
      warnings.push_back(fmt::format("no node carries the proposition '{}'", name));
    }
  }
  if (count > kMostUnknownNames) {
    warnings.push_back(fmt::format("no node carries {} more of the propositions in the formulas",
                                   count - kMostUnknownNames));
  }
}

void warn_of_dead_ends(const model::Rsm& machine, std::vector<std::string>& warnings) {
  const model::NodeCount dead = model::find_dead_ends(machine);
  if (dead.count > 0) {
    warnings.push_back(fmt::format("{} dead end{} (paths end there), first: {}; see --dead-ends",
                                   dead.count, dead.count == 1 ? "" : "s",
                                   machine.describe(dead.first)));
  }
}

}  // namespace nestor::session
