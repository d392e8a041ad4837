#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace nestor::explain {

/// Sets of exit indices, each distinct one kept once: most nodes of a component share theirs.
class ExitSets {
 public:
  using SetId = std::uint32_t;
  static constexpr SetId kEmpty = 0;

  ExitSets() { intern({}); }

  SetId single(std::uint32_t exit) { return intern({exit}); }
  SetId unite(SetId a, SetId b);
  /// Ascending.
  std::span<const std::uint32_t> operator[](SetId id) const { return sets_[id]->first; }

 private:
  using Known = std::map<std::vector<std::uint32_t>, SetId>;
  SetId intern(std::vector<std::uint32_t> set);

  Known known_;
  std::vector<Known::const_iterator> sets_;
  std::unordered_map<std::uint64_t, SetId> united_;  // by both ids, the smaller one first
};

}  // namespace nestor::explain
