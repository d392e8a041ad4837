#pragma once

#include "program/program.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace nestor::program {

/// Which values of a function can still decide something, so that no other is kept.
class Relevance {
 public:
  explicit Relevance(const Function& function);

  /// Some branch, call or result depends on what lies there.
  bool is_tested(VariableId location) const { return tested_.count(location.value()) != 0; }
  bool is_tested(ValueId bound) const { return tested_values_[bound] != 0; }
  /// What lies there before the point can be read at it or later, before it is written.
  bool is_live(std::uint32_t point, VariableId location) const;
  bool is_live(std::uint32_t point, ValueId bound) const;
  bool is_live_parameter(std::uint32_t point, std::size_t number) const;
  bool is_tested_parameter(std::size_t number) const;

 private:
  void find_tested();
  void find_live();
  void add_leaves(ValueId value, std::vector<ValueId>& leaves) const;
  std::uint32_t index_of(VariableId location);
  bool is_set(std::uint32_t point, std::uint32_t bit) const {
    return (live_[point * words_ + bit / 64] >> (bit % 64) & 1U) != 0;
  }

  const Function& function_;
  std::vector<ValueId> parameters_;
  std::unordered_map<std::uint32_t, std::uint8_t> tested_;      // by variable
  base::IdVector<ValueId, std::uint8_t> tested_values_;         // of those that are bound
  std::unordered_map<std::uint32_t, std::uint32_t> locations_;  // by variable: the bit
  std::size_t words_ = 0;
  std::vector<std::uint64_t> live_;
};

/// Under which name the point reads or writes memory; not valid if it does not.
VariableId location_of(const Point& point);

}  // namespace nestor::program
