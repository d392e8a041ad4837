#pragma once

#include "base/debug_assert.h"

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nestor::base {

/// A set of small integers below a size fixed at construction.
class BitSet {
 public:
  BitSet() = default;
  explicit BitSet(std::size_t size) : size_(size), words_((size + 63) / 64) {}

  std::size_t size() const { return size_; }

  bool test(std::size_t i) const {
    NESTOR_DEBUG_ASSERT(i < size_);
    return ((words_[i / 64] >> (i % 64)) & 1) != 0;
  }
  void set(std::size_t i) {
    NESTOR_DEBUG_ASSERT(i < size_);
    words_[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  void reset(std::size_t i) {
    NESTOR_DEBUG_ASSERT(i < size_);
    words_[i / 64] &= ~(std::uint64_t{1} << (i % 64));
  }
  void set_all() {
    words_.assign(words_.size(), ~std::uint64_t{0});
    clear_past_end();
  }
  /// Puts in what is out and takes out what is in.
  void flip_all() {
    for (std::uint64_t& word : words_) {
      word = ~word;
    }
    clear_past_end();
  }
  /// Word `w` of words(); bits beyond the size are left out.
  void set_word(std::size_t w, std::uint64_t bits) {
    words_[w] = bits;
    clear_past_end();
  }
  /// Puts `i` in; true if it was not there before.
  bool insert(std::size_t i) {
    const bool is_new = !test(i);
    set(i);
    return is_new;
  }

  bool any() const {
    for (const std::uint64_t word : words_) {
      if (word != 0) {
        return true;
      }
    }
    return false;
  }
  std::size_t count() const {
    std::size_t sum = 0;
    for (const std::uint64_t word : words_) {
      sum += static_cast<std::size_t>(std::popcount(word));
    }
    return sum;
  }

  BitSet& operator|=(const BitSet& other) {
    assert(size_ == other.size_);
    for (std::size_t i = 0; i < words_.size(); ++i) {
      words_[i] |= other.words_[i];
    }
    return *this;
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
  }

  BitSet& operator&=(const BitSet& other) {
    assert(size_ == other.size_);
    for (std::size_t i = 0; i < words_.size(); ++i) {
      words_[i] &= other.words_[i];
    }
    return *this;
  }

  const std::vector<std::uint64_t>& words() const { return words_; }

  friend bool operator==(const BitSet&, const BitSet&) = default;
  friend auto operator<=>(const BitSet&, const BitSet&) = default;

 private:
  void clear_past_end() {
    if (size_ % 64 != 0) {
      words_.back() &= (std::uint64_t{1} << (size_ % 64)) - 1;
    }
  }

  std::size_t size_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace nestor::base
