#include "base/bit_layout.h"

namespace nestor::base {

BitField BitLayout::add(std::uint32_t largest) {
  const std::uint32_t bits = bits_for(largest);
  if (bits == 0) {
    return {};
  }
  bits_ += bits;
  while (first_open_ < used_.size() && used_[first_open_] == kWordBits) {
    ++first_open_;
  }
  std::size_t word = first_open_;
  while (word < used_.size() && used_[word] + bits > kWordBits) {
    ++word;
  }
  if (word == used_.size()) {
    used_.push_back(0);
  }
  const BitField field{static_cast<std::uint32_t>(word), used_[word],
                       static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1)};
  used_[word] += bits;
  return field;
}

}  // namespace nestor::base
