#pragma once

#include "base/debug_assert.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nestor::base {

/// A state as a few 32-bit words, and a place to write one.
using StateView = std::span<const std::uint32_t>;
using StateBuffer = std::span<std::uint32_t>;

/// A number of up to 32 bits inside a packed state. It never lies across two words.
struct BitField {
  std::uint32_t word = 0;
  std::uint32_t shift = 0;
  std::uint32_t mask = 0;  ///< before shifting: the largest value

  std::uint32_t get(StateView state) const { return (state[word] >> shift) & mask; }
  void set(StateBuffer state, std::uint32_t value) const {
    NESTOR_DEBUG_ASSERT(value <= mask);
    state[word] = (state[word] & ~(mask << shift)) | (value << shift);
  }
};

/// Bits that the numbers 0 … `largest` need.
inline std::uint32_t bits_for(std::uint32_t largest) {
  return static_cast<std::uint32_t>(std::bit_width(largest));
}

/// Places fields in as few words as first fit finds.
class BitLayout {
 public:
  /// A field for the numbers 0 … `largest`. One for 0 alone takes no bit.
  BitField add(std::uint32_t largest);

  /// At least one, so that a state is never empty.
  std::size_t words() const { return used_.empty() ? 1 : used_.size(); }
  /// Bits that carry information.
  std::size_t bits() const { return bits_; }

 private:
  static constexpr std::uint32_t kWordBits = 32;

  std::vector<std::uint32_t> used_;  // bits taken, by word
  std::size_t first_open_ = 0;       // the words before it are full
  std::size_t bits_ = 0;
};

}  // namespace nestor::base
