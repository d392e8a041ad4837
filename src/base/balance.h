#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace nestor::base {

/// Gives each piece of work to one of those that share it, by number: the dearest piece first, each
/// to who has least so far. The largest load is then at most 4/3 of the best one [R. L. Graham:
/// Bounds on multiprocessing timing anomalies. SIAM J. Appl. Math. 17(2), 1969]. `loads` has what
/// each has already and is brought up to date; ties go to the lower number, so that everybody who
/// asks comes to the same.
inline std::vector<std::size_t> balanced(std::span<const double> costs, std::span<double> loads) {
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });
  std::vector<std::size_t> owner(costs.size());
  for (const std::size_t piece : order) {
    const auto least = std::min_element(loads.begin(), loads.end());
    owner[piece] = static_cast<std::size_t>(least - loads.begin());
    *least += costs[piece];
  }
  return owner;
}

}  // namespace nestor::base
