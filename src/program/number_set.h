#pragma once

#include "program/value.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>

namespace nestor::program {

/// What a number can be: a few ranges, in order and apart. What needs more ranges is made larger,
/// so that a set is never too small.
class NumberSet {
 public:
  struct Range {
    std::int64_t low = 0;
    std::int64_t high = 0;  ///< included
    friend bool operator==(const Range&, const Range&) = default;
  };
  static constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

  static NumberSet all() { return range(kLowest, kHighest); }
  static NumberSet range(std::int64_t low, std::int64_t high);
  static NumberSet only(std::int64_t number) { return range(number, number); }
  static NumberSet except(std::int64_t number) { return all().where(Relation::NotEqual, number); }

  bool is_empty() const { return count_ == 0; }
  bool is_all() const {
    return count_ == 1 && ranges_[0].low == kLowest && ranges_[0].high == kHighest;
  }
  bool contains(std::int64_t number) const;
  std::optional<std::int64_t> single() const;
  const Range* begin() const { return ranges_.data(); }
  const Range* end() const { return ranges_.data() + count_; }

  NumberSet meet(const NumberSet& other) const;
  NumberSet join(const NumberSet& other) const;
  /// Those that compare so with `number`.
  NumberSet where(Relation relation, std::int64_t number) const;
  /// The same for numbers without a sign, kept as those of the same bits with one.
  NumberSet where_unsigned(Relation relation, std::int64_t number) const;

  friend bool operator==(const NumberSet& a, const NumberSet& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static constexpr std::size_t kMost = 4;

  void add(Range range);

  std::array<Range, kMost> ranges_ = {};
  std::uint8_t count_ = 0;
};

bool holds(std::int64_t left, Relation relation, std::int64_t right);
Relation negated(Relation relation);
Relation swapped(Relation relation);

}  // namespace nestor::program
