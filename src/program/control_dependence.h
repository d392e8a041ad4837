#pragma once

#include "program/program.h"

#include <cstdint>
#include <vector>

namespace nestor::program {

/// Which branches decide whether a point is reached: in the sense of Ferrante, Ottenstein and
/// Warren, "The program dependence graph and its use in optimization", 1987, by post-dominators.
class ControlDependence {
 public:
  explicit ControlDependence(const Function& function);

  /// The points that branch, and of which the point depends.
  const std::vector<std::uint32_t>& branches_of(std::uint32_t point) const {
    return branches_[point];
  }

 private:
  std::vector<std::vector<std::uint32_t>> branches_;
};

}  // namespace nestor::program
