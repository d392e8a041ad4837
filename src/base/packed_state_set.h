#pragma once

#include "base/bit_layout.h"
#include "base/debug_assert.h"
#include "base/inline.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace nestor::base {

/// A set of states of one width that gives them the numbers 0, 1, 2, … as they come. Takes a
/// state's words and between 5.8 and 8.8 bytes of index each; nothing is allocated for one state
/// alone, and a state never moves.
class PackedStateSet {
 public:
  static constexpr std::uint32_t kMostStates = 0xffff'fff0U;

  explicit PackedStateSet(std::size_t words_per_state);

  struct Inserted {
    std::uint32_t number = 0;
    bool is_new = false;
  };
  /// Puts a copy of `state` in if it is not there. Not when there are kMostStates already.
  Inserted insert(StateView state);
  static constexpr std::uint32_t kAbsent = 0xffff'ffffU;
  /// The number of `state`, or kAbsent.
  std::uint32_t find(StateView state);

  NESTOR_INLINE StateView operator[](std::uint32_t number) const {
    NESTOR_DEBUG_ASSERT(number < size_);
    const std::size_t inside = number & ((std::size_t{1} << states_per_block_log_) - 1);
    return {blocks_[number >> states_per_block_log_].get() + inside * words_, words_};
  }
  std::uint32_t size() const { return size_; }
  std::size_t words_per_state() const { return words_; }

  /// Gives the index's memory back. The states can still be read; looking for one makes it anew.
  void drop_index();
  /// What putting in one more state may allocate at once.
  std::size_t bytes_to_grow() const { return is_full() ? bytes_of_larger_index() : 0; }
  /// What states and index take.
  std::size_t memory_bytes() const;

 private:
  // A slot is free if its tag is 0; else the tag is part of the hash, so that most states that
  // differ are told apart without looking at them.
  struct Place {
    std::size_t slot = 0;
    std::uint8_t tag = 0;
    bool found = false;
  };

  static bool is_full(std::size_t states, std::size_t slots) { return states * 7 >= slots * 6; }
  bool is_full() const { return is_full(size_, tags_.size()); }
  std::size_t bytes_of_larger_index() const;
  template <class Visit>
  auto with_words(Visit visit) const;
  template <std::size_t Words>
  Place look_for(StateView state) const;
  template <std::size_t Words>
  void fill_index();
  template <std::size_t Words>
  Inserted insert_as(StateView state);
  void grow();

  std::size_t words_;
  std::uint32_t states_per_block_log_;
  std::uint32_t size_ = 0;
  std::vector<std::unique_ptr<std::uint32_t[]>> blocks_;
  std::vector<std::uint8_t> tags_;  // open addressing
  std::vector<std::uint32_t> numbers_;
};

}  // namespace nestor::base
