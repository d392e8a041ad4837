#pragma once

#include "base/inline.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nestor::engine::summary {

/// Calls visit(i) for each bit i of a bit set in words.
template <class Words, class Visit>
void for_each_bit(const Words& words, Visit visit) {
  for (std::size_t w = 0; w < words.size(); ++w) {
    for (std::uint64_t word = words[w]; word != 0; word &= word - 1) {
      visit(64 * w + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }
}

/// A set of exits of one component, as words of 64 bits.
class ExitSet {
 public:
  explicit ExitSet(std::uint64_t only) : only_(only) {}
  explicit ExitSet(std::span<const std::uint64_t> words)
      : words_(words.data()), size_(words.size()) {}

  std::size_t size() const { return size_; }
  std::uint64_t operator[](std::size_t w) const { return words_ == nullptr ? only_ : words_[w]; }
  bool contains(std::size_t x) const { return ((*this)[x / 64] >> (x % 64) & 1) != 0; }

  friend bool operator==(const ExitSet& a, const ExitSet& b) {
    bool equal = a.size_ == b.size_;
    for (std::size_t w = 0; equal && w < a.size_; ++w) {
      equal = a[w] == b[w];
    }
    return equal;
  }

 private:
  const std::uint64_t* words_ = nullptr;
  std::size_t size_ = 1;
  std::uint64_t only_ = 0;
};

/// Many sets of exits, each at a place of its own and some places long. Where no set needs more
/// than 16 bits, which is so for most models, they take two bytes each: sets are looked up all over
/// a model, and four times as many fit a cache.
class ExitBits {
 public:
  static constexpr std::size_t kFew = 16;

  ExitBits() = default;
  ExitBits(bool few, std::size_t places) : few_(few) {
    few ? short_.resize(places) : long_.resize(places);
  }
  static std::size_t bytes(bool few, std::size_t places) {
    return places * (few ? sizeof(std::uint16_t) : sizeof(std::uint64_t));
  }

  bool empty() const { return short_.empty() && long_.empty(); }
  NESTOR_INLINE ExitSet at(std::size_t place, std::size_t length) const {
    return few_ ? ExitSet(short_[place]) : ExitSet(std::span(long_.data() + place, length));
  }
  /// True if that was news; so below.
  bool insert(std::size_t place, std::size_t x) {
    if (few_) {
      return add(short_[place], static_cast<std::uint16_t>(1U << x));
    }
    return add(long_[place + x / 64], std::uint64_t{1} << (x % 64));
  }
  bool unite(std::size_t into, std::size_t from, std::size_t length) {
    if (few_) {
      return add(short_[into], short_[from]);
    }
    bool news = false;
    for (std::size_t w = 0; w < length; ++w) {
      news = add(long_[into + w], long_[from + w]) || news;
    }
    return news;
  }

 private:
  template <class Part>
  static bool add(Part& to, Part more) {
    const Part united = to | more;
    const bool news = united != to;
    to = united;
    return news;
  }

  bool few_ = false;
  std::vector<std::uint16_t> short_;
  std::vector<std::uint64_t> long_;
};

}  // namespace nestor::engine::summary
