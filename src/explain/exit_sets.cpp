#include "explain/exit_sets.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace nestor::explain {

ExitSets::SetId ExitSets::intern(std::vector<std::uint32_t> set) {
  const auto [place, is_new] = known_.try_emplace(std::move(set), static_cast<SetId>(sets_.size()));
  if (is_new) {
    sets_.emplace_back(place);
  }
  return place->second;
}

ExitSets::SetId ExitSets::unite(SetId a, SetId b) {
  if (a == b || b == kEmpty) {
    return a;
  }
  if (a == kEmpty) {
    return b;
  }
  const std::uint64_t key = std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
  const auto found = united_.find(key);
  if (found != united_.end()) {
    return found->second;
  }
  std::vector<std::uint32_t> both;
  std::set_union((*this)[a].begin(), (*this)[a].end(), (*this)[b].begin(), (*this)[b].end(),
                 std::back_inserter(both));
  const SetId united = intern(std::move(both));
  united_.emplace(key, united);
  return united;
}

}  // namespace nestor::explain
