#include "net/firing_history.h"

#include <fmt/format.h>

namespace nestor::net {

namespace {
constexpr std::size_t kMostSteps = 1'000'000;
}

FiringHistory::FiringHistory(const PetriNet& given) {
  for (const TransitionId t : given.transitions()) {
    of_.push_back(static_cast<Number>(firings_.size()));
    firings_.push_back({t, {}, {}});
  }
}

FiringHistory::Number FiringHistory::join(Repeated first, Repeated second) {
  firings_.push_back({TransitionId(), first, second});
  return static_cast<Number>(firings_.size() - 1);
}

std::vector<TransitionId> FiringHistory::expanded(const std::vector<Repeated>& parts,
                                                  base::LimitGuard& guard) const {
  std::vector<TransitionId> found;
  std::vector<Repeated> open(parts.rbegin(), parts.rend());  // the next one last
  while (!open.empty()) {
    guard.tick();
    if (open.back().times == 0) {
      open.pop_back();
      continue;
    }
    --open.back().times;
    const Firing& firing = firings_[open.back().firing];
    if (firing.given.valid()) {
      found.push_back(firing.given);
    } else {
      open.push_back(firing.second);
      open.push_back(firing.first);
    }
    if (found.size() > kMostSteps) {
      throw base::LimitReached{fmt::format("the path has more than {} steps", kMostSteps)};
    }
  }
  return found;
}

}  // namespace nestor::net
