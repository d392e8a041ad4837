#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::smv {

/// A pattern of bits, of more of them than a machine's register has. Operators between two want
/// patterns of one width, and wrap around.
class WideWord {
 public:
  using Limb = std::uint64_t;

  /// All bits zero.
  explicit WideWord(std::size_t width);
  /// The lowest bits are those of `low`, the others are all its sign or all zero.
  WideWord(std::size_t width, std::int64_t low, bool extends_sign);
  /// The number that the digits say; nothing if it does not fit or a digit is none of the base.
  static std::optional<WideWord> from_digits(std::size_t width, std::string_view digits,
                                             unsigned base);

  std::size_t width() const { return width_; }
  const std::vector<Limb>& limbs() const {
    return limbs_;
  }  ///< the lowest first; unused bits are 0
  void set_limb(std::size_t place, Limb limb);
  bool bit(std::size_t place) const { return (limbs_[place / 64] >> (place % 64) & 1U) != 0; }
  bool is_zero() const;
  bool is_negative() const { return bit(width_ - 1); }  ///< as a signed word
  /// As a number, if it is one of 64 bits.
  std::optional<std::int64_t> number(bool is_signed) const;

  /// Cut, or extended by zeros or the sign.
  WideWord resized(std::size_t width, bool extends_sign) const;
  /// The bits from `low` on.
  WideWord slice(std::size_t low, std::size_t width) const;
  /// This above `low`.
  WideWord concatenated(const WideWord& low) const;
  WideWord shifted_left(std::size_t amount) const;
  WideWord shifted_right(std::size_t amount, bool extends_sign) const;

  WideWord operator~() const;
  WideWord operator-() const;
  WideWord operator&(const WideWord& other) const;
  WideWord operator|(const WideWord& other) const;
  WideWord operator^(const WideWord& other) const;
  WideWord operator+(const WideWord& other) const;
  WideWord operator-(const WideWord& other) const;
  WideWord operator*(const WideWord& other) const;
  bool less(const WideWord& other, bool is_signed) const;

  struct Division;
  /// Towards zero; the remainder has the sign of this. Precondition: `by` is not zero.
  Division divided(const WideWord& by, bool is_signed) const;

  /// Without a sign: of the pattern as an unsigned number.
  std::string decimal() const;

  friend bool operator==(const WideWord&, const WideWord&) = default;

 private:
  void cut();

  std::size_t width_;
  std::vector<Limb> limbs_;
};

struct WideWord::Division {
  WideWord quotient;
  WideWord remainder;
};

}  // namespace nestor::smv
