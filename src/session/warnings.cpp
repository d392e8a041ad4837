#include "session/warnings.h"

#include "model/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace nestor::session {

namespace {

constexpr std::size_t kMostUnknownNames = 5;

void warn_of_dead_ends(const Subject& subject, std::vector<std::string>& warnings) {
  const model::NodeCount dead = model::find_dead_ends(subject.machine());
  if (dead.count > 0) {
    const bool may_end =
        subject.dead_ends() != model::DeadEnds::Infinite && subject.fairness().constraints == 0;
    warnings.push_back(fmt::format("{} dead end{} ({}), first: {}; see --dead-ends", dead.count,
                                   dead.count == 1 ? "" : "s",
                                   may_end ? "paths end there" : "only infinite paths count",
                                   subject.machine().describe(dead.first)));
  }
}

}  // namespace

std::vector<std::string> warnings_of_unknown(
    const std::vector<std::string>& propositions,
    const std::function<bool(const std::string&)>& is_known) {
  std::vector<std::string> warnings;
  std::size_t count = 0;
  for (const std::string& name : propositions) {
    if (!is_known(name) && ++count <= kMostUnknownNames) {
      warnings.push_back(fmt::format("no node carries the proposition '{}'", name));
    }
  }
  if (count > kMostUnknownNames) {
    warnings.push_back(fmt::format("no node carries {} more of the propositions in the formulas",
                                   count - kMostUnknownNames));
  }
  return warnings;
}

std::vector<std::string> warnings_of(const Subject& subject,
                                     const std::vector<std::string>& propositions) {
  std::vector<std::string> warnings;
  if (subject.is_empty()) {
    return warnings;
  }
  warn_of_dead_ends(subject, warnings);
  const auto is_known = [&](std::string_view name) {
    for (std::size_t m = 0; m < subject.machine_count(); ++m) {
      if (subject.machine(m).find_prop(name).valid()) {
        return true;
      }
    }
    return false;
  };
  std::ranges::move(warnings_of_unknown(propositions, is_known), std::back_inserter(warnings));
  return warnings;
}

}  // namespace nestor::session
