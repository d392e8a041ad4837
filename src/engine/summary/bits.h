#pragma once

#include "base/inline.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace nestor::engine::summary {

/// One bit for each formula of a batch: what the formulas say at one node, side by side.
template <class Part, std::size_t kParts>
class Bits {
  static constexpr std::size_t kWidth = 8 * sizeof(Part);

 public:
  static constexpr std::size_t kCount = kWidth * kParts;

  /// The bits 0, 1, …, count - 1.
  static Bits first(std::size_t count) {
    Bits bits;
    for (std::size_t i = 0; i < kParts; ++i) {
      const std::size_t left = count > kWidth * i ? count - kWidth * i : 0;
      bits.parts_[i] = static_cast<Part>(left >= kWidth ? ~Part{0} : (Part{1} << left) - 1);
    }
    return bits;
  }

  bool test(std::size_t i) const { return ((parts_[i / kWidth] >> (i % kWidth)) & 1) != 0; }
  void set(std::size_t i) { parts_[i / kWidth] |= static_cast<Part>(Part{1} << (i % kWidth)); }

  bool any() const {
    Part all = 0;
    for (const Part part : parts_) {
      all |= part;
    }
    return all != 0;
  }

  std::size_t count() const {
    std::size_t sum = 0;
    for (const Part part : parts_) {
      sum += static_cast<std::size_t>(std::popcount(part));
    }
    return sum;
  }

  NESTOR_INLINE Bits& operator|=(const Bits& other) {
    for (std::size_t i = 0; i < kParts; ++i) {
      parts_[i] |= other.parts_[i];
    }
    return *this;
  }
  NESTOR_INLINE Bits& operator&=(const Bits& other) {
    for (std::size_t i = 0; i < kParts; ++i) {
      parts_[i] &= other.parts_[i];
    }
    return *this;
  }
  NESTOR_INLINE friend Bits operator|(Bits a, const Bits& b) { return a |= b; }
  NESTOR_INLINE friend Bits operator&(Bits a, const Bits& b) { return a &= b; }
  /// a and not b: negation is always within a mask.
  NESTOR_INLINE friend Bits without(Bits a, const Bits& b) {
    for (std::size_t i = 0; i < kParts; ++i) {
      a.parts_[i] &= static_cast<Part>(~b.parts_[i]);
    }
    return a;
  }
  NESTOR_INLINE friend bool operator==(const Bits& a, const Bits& b) {
    Part difference = 0;
    for (std::size_t i = 0; i < kParts; ++i) {
      difference |= static_cast<Part>(a.parts_[i] ^ b.parts_[i]);
    }
    return difference == 0;
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < kParts; ++i) {
      for (std::uint64_t part = parts_[i]; part != 0; part &= part - 1) {
        visit(kWidth * i + static_cast<std::size_t>(std::countr_zero(part)));
      }
    }
  }

 private:
  std::array<Part, kParts> parts_{};
};

// The batches that there are. A few formulas are most often one, and two bytes a node then fit
// caches that eight would not. (A single one may alias anything, so compilers do worse with it.)
using FewBits = Bits<std::uint16_t, 1>;
using WordBits = Bits<std::uint64_t, 1>;
using WideBits = Bits<std::uint64_t, 4>;

/// Calls f with the narrowest of them that has a bit for each of `width` formulas.
template <class F>
auto with_bits_for(std::size_t width, F f) {
  if (width <= FewBits::kCount) {
    return f(FewBits());
  }
  return width <= WordBits::kCount ? f(WordBits()) : f(WideBits());
}

}  // namespace nestor::engine::summary
