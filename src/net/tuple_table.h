#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nestor::net {

/// The tuples that were seen in a place, numbered 0, 1, 2, … as they came: a marking has their
/// numbers.
class TupleTable {
 public:
  using Tuple = std::span<const std::int64_t>;
  static constexpr std::uint32_t kAbsent = 0xffff'ffffU;

  explicit TupleTable(std::size_t width) : width_(width) {}

  /// The number of `tuple`, a new one if it was never seen. Throws LimitReached if there are too
  /// many.
  std::uint32_t intern(Tuple tuple);
  /// The number of `tuple`, or kAbsent.
  std::uint32_t find(Tuple tuple) const;
  /// Valid until the next intern().
  Tuple operator[](std::uint32_t number) const {
    return Tuple(values_).subspan(number * width_, width_);
  }
  std::uint32_t size() const { return size_; }
  std::size_t memory_bytes() const {
    return values_.capacity() * sizeof(std::int64_t) + slots_.capacity() * sizeof(std::uint32_t);
  }

 private:
  std::size_t slot_of(Tuple tuple) const;
  void grow();

  std::size_t width_;
  std::uint32_t size_ = 0;
  std::vector<std::int64_t> values_;  // of all tuples, one after the other
  std::vector<std::uint32_t> slots_;  // open addressing, a power of two of them; kAbsent: free
};

}  // namespace nestor::net
