#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace nestor::summary {

/// One bit for each formula of a batch: what the formulas say at one node, side by side.
template <std::size_t W>
class Bits {
 public:
  static constexpr std::size_t kCount = 64 * W;

  /// The bits 0, 1, …, count - 1.
  static Bits first(std::size_t count) {
    Bits bits;
    for (std::size_t i = 0; i < W; ++i) {
      const std::size_t left = count > 64 * i ? count - 64 * i : 0;
      bits.words_[i] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    }
    return bits;
  }

  bool test(std::size_t i) const { return ((words_[i / 64] >> (i % 64)) & 1) != 0; }
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }

  bool any() const {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < W; ++i) {
      all |= words_[i];
    }
    return all != 0;
  }

  std::size_t count() const {
    std::size_t sum = 0;
    for (const std::uint64_t word : words_) {
      sum += static_cast<std::size_t>(std::popcount(word));
    }
    return sum;
  }

  Bits& operator|=(const Bits& other) {
    for (std::size_t i = 0; i < W; ++i) {
      words_[i] |= other.words_[i];
    }
    return *this;
  }
  Bits& operator&=(const Bits& other) {
    for (std::size_t i = 0; i < W; ++i) {
      words_[i] &= other.words_[i];
    }
    return *this;
  }
  friend Bits operator|(Bits a, const Bits& b) { return a |= b; }
  friend Bits operator&(Bits a, const Bits& b) { return a &= b; }
  /// a and not b: negation is always within a mask.
  friend Bits without(Bits a, const Bits& b) {
    for (std::size_t i = 0; i < W; ++i) {
      a.words_[i] &= ~b.words_[i];
    }
    return a;
  }
  friend bool operator==(const Bits& a, const Bits& b) {
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < W; ++i) {
      difference |= a.words_[i] ^ b.words_[i];
    }
    return difference == 0;
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < W; ++i) {
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) {
        visit(64 * i + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
  }

 private:
  std::array<std::uint64_t, W> words_{};
};

}  // namespace nestor::summary
