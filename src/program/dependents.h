#pragma once

#include "base/compressed_rows.h"
#include "program/function_uses.h"
#include "program/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace nestor::program {

/// Which points of a function something found out about a value, a place or a point can matter to:
/// who follows a handle looks at these again, not at all points.
class Dependents {
 public:
  Dependents(const Program& program, const Function& function, const FunctionUses& uses);

  /// Points with an operand that is made of it, each once.
  std::span<const std::uint32_t> users_of(ValueId leaf) const { return users_[leaf]; }
  /// Points at which it is read or written, or that have its address or something inside of it as
  /// an operand, each once.
  std::span<const std::uint32_t> users_of(FunctionUses::Place place) const {
    return place_users_[PlaceId(place)];
  }
  /// Whatever is followed, something may happen there: calls of functions of the program, writes to
  /// memory without a name, ends, and what an exception may leave.
  bool always_matters(std::uint32_t point) const { return always_matters_[point] != 0; }
  /// From where the flow comes, by whatever edge.
  std::span<const std::uint32_t> previous(std::uint32_t point) const {
    return previous_[PointId(point)];
  }

 private:
  using PlaceId = base::Id<struct PlaceTag>;
  using PointId = base::Id<struct PointTag>;

  base::CompressedRows<ValueId, std::uint32_t> users_;
  base::CompressedRows<PlaceId, std::uint32_t> place_users_;
  std::vector<std::uint8_t> always_matters_;  // by point
  base::CompressedRows<PointId, std::uint32_t> previous_;
};

}  // namespace nestor::program
