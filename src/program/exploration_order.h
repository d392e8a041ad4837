#pragma once

#include "base/pool_allocator.h"

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace nestor::program {

/// Which node of an exploration is looked at next. Where states are merged, what comes first in the
/// function is looked at first, and what is called before the rest of its caller, so that most
/// states are known before they are used.
class ExplorationOrder {
 public:
  /// As a node: all of the component has been looked at, and of those that it calls.
  static constexpr std::uint32_t kDone = UINT32_MAX;

  explicit ExplorationOrder(bool is_merging) : is_merging_(is_merging) {}

  bool is_empty() const { return work_.empty() && order_.empty(); }

  void add(std::uint32_t component, std::uint32_t point, std::uint32_t node) {
    if (is_merging_) {
      order_.emplace(UINT32_MAX - component, point, node);
    } else {
      work_.emplace_back(component, node);
    }
  }
  /// kDone comes when that is so. Only where states are merged.
  void add_done(std::uint32_t component) {
    order_.emplace(UINT32_MAX - component, UINT32_MAX, kDone);
  }

  /// Component and node.
  std::pair<std::uint32_t, std::uint32_t> next() {
    std::pair<std::uint32_t, std::uint32_t> next;
    if (is_merging_) {
      next = {UINT32_MAX - std::get<0>(*order_.begin()), std::get<2>(*order_.begin())};
      order_.erase(order_.begin());
    } else {
      next = work_.back();
      work_.pop_back();
    }
    return next;
  }

  /// By component, of so many: something is left to look at.
  std::vector<std::uint8_t> open(std::size_t components) const {
    std::vector<std::uint8_t> open(components, 0);
    for (const auto& [component, node] : work_) {
      open[component] = 1;
    }
    for (const auto& waiting : order_) {
      open[UINT32_MAX - std::get<0>(waiting)] = 1;
    }
    return open;
  }

 private:
  const bool is_merging_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> work_;
  base::PooledSet<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> order_;
};

}  // namespace nestor::program
