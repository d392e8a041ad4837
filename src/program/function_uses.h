#pragma once

#include "base/compressed_rows.h"
#include "program/program.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace nestor::program {

constexpr std::uint8_t kPointerBits = 64;

/// Under which name the point reads or writes memory; not valid if it does not.
inline VariableId location_of(const Point& point) {
  return point.facts.empty() ? VariableId() : point.facts.front().variable;
}

/// Who binds, writes and uses what in one function: the same for every handle that is followed.
class FunctionUses {
 public:
  /// A location that points or terms of the function name, counted from 0.
  using Place = std::uint32_t;
  static constexpr Place kNoPlace = UINT32_MAX;

  explicit FunctionUses(const Function& function);

  /// By number; not valid where no term speaks of it.
  const std::vector<ValueId>& parameters() const { return parameters_; }
  std::span<const std::uint32_t> binders_of(ValueId value) const { return binders_[value]; }
  std::span<const std::uint32_t> writers_of(Place place) const { return writers_[PlaceId(place)]; }
  /// The bound values and parameters that an operand of an action is made of, each once.
  std::span<const ValueId> leaves_of(ValueId operand) const {
    return operand.valid() ? leaves_[operand] : std::span<const ValueId>();
  }

  std::size_t place_count() const { return locations_.size(); }
  VariableId location(Place place) const { return locations_[place]; }
  Place place_at(std::uint32_t point) const { return place_of_point_[point]; }
  /// Of a term that is the address of a variable; else kNoPlace.
  Place place_of_address(ValueId value) const { return place_of_address_[value]; }
  /// kNoPlace if the function does not name it.
  Place place_of(VariableId location) const {
    const auto found = places_.find(location.value());
    return found == places_.end() ? kNoPlace : found->second;
  }

 private:
  using PlaceId = base::Id<struct PlaceTag>;

  Place add_place(VariableId location);
  void find_leaves(const Function& function);

  std::vector<ValueId> parameters_;
  base::CompressedRows<ValueId, std::uint32_t> binders_;
  base::CompressedRows<PlaceId, std::uint32_t> writers_;
  base::CompressedRows<ValueId, ValueId> leaves_;
  std::vector<VariableId> locations_;  // by place
  std::unordered_map<std::uint32_t, Place> places_;
  std::vector<Place> place_of_point_;
  base::IdVector<ValueId, Place> place_of_address_;
};

}  // namespace nestor::program
