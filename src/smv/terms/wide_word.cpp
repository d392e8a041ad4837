#include "smv/terms/wide_word.h"

#include <algorithm>
#include <cassert>

namespace nestor::smv {

namespace {

constexpr std::size_t kLimbBits = 64;
__extension__ using DoubleLimb = unsigned __int128;

std::size_t limbs_for(std::size_t width) {
  return (width + kLimbBits - 1) / kLimbBits;
}

}  // namespace

WideWord::WideWord(std::size_t width) : width_(width), limbs_(limbs_for(width), 0) {
  assert(width > 0);
}

WideWord::WideWord(std::size_t width, std::int64_t low, bool extends_sign) : WideWord(width) {
  if (extends_sign && low < 0) {
    std::fill(limbs_.begin(), limbs_.end(), ~Limb{0});
  }
  limbs_[0] = static_cast<Limb>(low);
  cut();
}

std::optional<WideWord> WideWord::from_digits(std::size_t width, std::string_view digits,
                                              unsigned base) {
  WideWord result(width);
  for (const char c : digits) {
    const unsigned digit = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                           : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a') + 10
                           : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A') + 10
                                                  : base;
    if (digit >= base) {
      return std::nullopt;
    }
    DoubleLimb carry = digit;
    for (Limb& limb : result.limbs_) {
      carry += static_cast<DoubleLimb>(limb) * base;
      limb = static_cast<Limb>(carry);
      carry >>= kLimbBits;
    }
    const Limb top = result.limbs_.back();
    result.cut();
    if (carry != 0 || result.limbs_.back() != top) {
      return std::nullopt;
    }
  }
  return result;
}

void WideWord::set_limb(std::size_t place, Limb limb) {
  limbs_[place] = limb;
  cut();
}

void WideWord::cut() {
  if (const std::size_t used = width_ % kLimbBits; used != 0) {
    limbs_.back() &= ~Limb{0} >> (kLimbBits - used);
  }
}

bool WideWord::is_zero() const {
  return std::all_of(limbs_.begin(), limbs_.end(), [](Limb limb) { return limb == 0; });
}

std::optional<std::int64_t> WideWord::number(bool is_signed) const {
  const auto low = static_cast<std::int64_t>(limbs_[0]);
  const bool fits = is_signed ? WideWord(width_, low, true) == *this
                              : low >= 0 && WideWord(width_, low, false) == *this;
  return fits ? std::optional(low) : std::nullopt;
}

WideWord WideWord::resized(std::size_t width, bool extends_sign) const {
  WideWord result(width);
  const bool fills = extends_sign && is_negative();
  for (std::size_t i = 0; i < result.limbs_.size(); ++i) {
    result.limbs_[i] = i < limbs_.size() ? limbs_[i] : (fills ? ~Limb{0} : 0);
  }
  if (const std::size_t used = width_ % kLimbBits;
      fills && used != 0 && result.limbs_.size() >= limbs_.size()) {
    result.limbs_[limbs_.size() - 1] |= ~Limb{0} << used;
  }
  result.cut();
  return result;
}

WideWord WideWord::slice(std::size_t low, std::size_t width) const {
  return shifted_right(low, false).resized(width, false);
}

WideWord WideWord::concatenated(const WideWord& low) const {
  const std::size_t width = width_ + low.width_;
  return resized(width, false).shifted_left(low.width_) | low.resized(width, false);
}

WideWord WideWord::shifted_left(std::size_t amount) const {
  WideWord result(width_);
  const std::size_t limbs = amount / kLimbBits;
  const std::size_t bits = amount % kLimbBits;
  for (std::size_t i = limbs; i < limbs_.size(); ++i) {
    result.limbs_[i] = limbs_[i - limbs] << bits;
    if (bits != 0 && i > limbs) {
      result.limbs_[i] |= limbs_[i - limbs - 1] >> (kLimbBits - bits);
    }
  }
  result.cut();
  return result;
}

WideWord WideWord::shifted_right(std::size_t amount, bool extends_sign) const {
  if (extends_sign && is_negative()) {  // zeros come in where the opposite bits are shifted
    return ~(~*this).shifted_right(amount, false);
  }
  WideWord result(width_);
  const std::size_t limbs = amount / kLimbBits;
  const std::size_t bits = amount % kLimbBits;
  for (std::size_t i = 0; i + limbs < limbs_.size(); ++i) {
    result.limbs_[i] = limbs_[i + limbs] >> bits;
    if (bits != 0 && i + limbs + 1 < limbs_.size()) {
      result.limbs_[i] |= limbs_[i + limbs + 1] << (kLimbBits - bits);
    }
  }
  return result;
}

WideWord WideWord::operator~() const {
  WideWord result = *this;
  for (Limb& limb : result.limbs_) {
    limb = ~limb;
  }
  result.cut();
  return result;
}

WideWord WideWord::operator-() const {
  return ~*this + WideWord(width_, 1, false);
}

WideWord WideWord::operator&(const WideWord& other) const {
  WideWord result = *this;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    result.limbs_[i] &= other.limbs_[i];
  }
  return result;
}

WideWord WideWord::operator|(const WideWord& other) const {
  WideWord result = *this;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    result.limbs_[i] |= other.limbs_[i];
  }
  return result;
}

WideWord WideWord::operator^(const WideWord& other) const {
  WideWord result = *this;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    result.limbs_[i] ^= other.limbs_[i];
  }
  return result;
}

WideWord WideWord::operator+(const WideWord& other) const {
  assert(width_ == other.width_);
  WideWord result(width_);
  DoubleLimb carry = 0;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    carry += static_cast<DoubleLimb>(limbs_[i]) + other.limbs_[i];
    result.limbs_[i] = static_cast<Limb>(carry);
    carry >>= kLimbBits;
  }
  result.cut();
  return result;
}

WideWord WideWord::operator-(const WideWord& other) const {
  return *this + -other;
}

WideWord WideWord::operator*(const WideWord& other) const {
  assert(width_ == other.width_);
  WideWord result(width_);
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    DoubleLimb carry = 0;
    for (std::size_t j = 0; i + j < limbs_.size(); ++j) {
      carry += static_cast<DoubleLimb>(limbs_[i]) * other.limbs_[j] + result.limbs_[i + j];
      result.limbs_[i + j] = static_cast<Limb>(carry);
      carry >>= kLimbBits;
    }
  }
  result.cut();
  return result;
}

bool WideWord::less(const WideWord& other, bool is_signed) const {
  assert(width_ == other.width_);
  if (is_signed && is_negative() != other.is_negative()) {
    return is_negative();
  }
  return std::lexicographical_compare(limbs_.rbegin(), limbs_.rend(), other.limbs_.rbegin(),
                                      other.limbs_.rend());
}

/// Bit by bit, the highest first: one subtraction a bit.
WideWord::Division WideWord::divided(const WideWord& by, bool is_signed) const {
  assert(width_ == by.width_ && !by.is_zero());
  const bool is_left_negative = is_signed && is_negative();
  const bool is_right_negative = is_signed && by.is_negative();
  const WideWord left = is_left_negative ? -*this : *this;
  const WideWord right = is_right_negative ? -by : by;
  Division result{WideWord(width_), WideWord(width_ + 1)};  // the remainder is doubled before it is
  const WideWord divisor = right.resized(width_ + 1, false);  // made smaller: one bit more
  for (std::size_t i = width_; i-- > 0;) {
    result.remainder = result.remainder.shifted_left(1);
    if (left.bit(i)) {
      result.remainder.limbs_[0] |= 1U;
    }
    if (!result.remainder.less(divisor, false)) {
      result.remainder = result.remainder - divisor;
      result.quotient.limbs_[i / kLimbBits] |= Limb{1} << (i % kLimbBits);
    }
  }
  result.remainder = result.remainder.resized(width_, false);
  if (is_left_negative != is_right_negative) {
    result.quotient = -result.quotient;
  }
  if (is_left_negative) {
    result.remainder = -result.remainder;
  }
  return result;
}

std::string WideWord::decimal() const {
  std::vector<Limb> rest = limbs_;
  std::string digits;
  while (!rest.empty()) {
    DoubleLimb carry = 0;
    for (std::size_t i = rest.size(); i-- > 0;) {
      carry = (carry << kLimbBits) | rest[i];
      rest[i] = static_cast<Limb>(carry / 10);
      carry %= 10;
    }
    digits += static_cast<char>('0' + static_cast<int>(carry));
    while (!rest.empty() && rest.back() == 0) {
      rest.pop_back();
    }
  }
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace nestor::smv
