#include "base/packed_state_set.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <type_traits>

namespace nestor::base {

namespace {
constexpr std::size_t kBlockWords = std::size_t{1} << 18;  // 1 MiB: large enough to be mapped
constexpr std::size_t kFirstSlots = 64;

std::size_t slots_after(std::size_t slots) {
  return std::max(kFirstSlots, slots + slots / 2);
}

/// Where a state is looked for first. Tags are other bits of the hash.
std::size_t first_slot(std::uint64_t hash, std::size_t slots) {
  return ((hash & 0x7fff'ffffU) * slots) >> 31;  // does not overflow: there are fewer than 2^33
}
}  // namespace

PackedStateSet::PackedStateSet(std::size_t words_per_state)
    : words_(words_per_state),
      states_per_block_log_(static_cast<std::uint32_t>(
          std::bit_width(std::max<std::size_t>(1, kBlockWords / words_per_state)) - 1)),
      tags_(kFirstSlots),
      numbers_(kFirstSlots) {
  assert(words_per_state > 0);
}

// Most states have few words, or are pairs, of trees; what is done for a state depends on that.
// `Words` is the number of words if it is at most 4, else 0.

namespace {

constexpr std::size_t kMostConstantWords = 4;

/// Two words of a state, or what is left of it.
template <std::size_t Words, std::size_t First>
NESTOR_INLINE std::uint64_t number_at(StateView state) {
  return First + 1 < Words ? state[First] | std::uint64_t{state[First + 1]} << 32
         : First < Words   ? state[First]
                           : 0;
}

template <std::size_t Words>
NESTOR_INLINE std::uint64_t hash(StateView state) {
  if constexpr (Words == 0) {
    return XXH3_64bits(state.data(), state.size_bytes());
  } else {
    // Rounds of multiplying, with the high bits brought down, take far less than the hash of texts
    // of any length.
    constexpr std::uint64_t kMultiplier = 0xd6e8'feb8'6659'fd93U;
    std::uint64_t h = number_at<Words, 0>(state);
    h = (h ^ (h >> 32)) * kMultiplier;
    h += number_at<Words, 2>(state);
    h = (h ^ (h >> 32)) * kMultiplier;
    return h ^ (h >> 32);
  }
}

template <std::size_t Words>
NESTOR_INLINE bool are_equal(StateView a, StateView b) {
  if constexpr (Words == 0) {
    return std::ranges::equal(a, b);
  } else {
    return number_at<Words, 0>(a) == number_at<Words, 0>(b) &&
           number_at<Words, 2>(a) == number_at<Words, 2>(b);
  }
}

}  // namespace

/// Calls `visit` with the number of words as a constant.
template <class Visit>
NESTOR_INLINE auto PackedStateSet::with_words(Visit visit) const {
  switch (words_) {
    case 1:
      return visit(std::integral_constant<std::size_t, 1>());
    case 2:
      return visit(std::integral_constant<std::size_t, 2>());
    case 3:
      return visit(std::integral_constant<std::size_t, 3>());
    case kMostConstantWords:
      return visit(std::integral_constant<std::size_t, kMostConstantWords>());
    default:
      return visit(std::integral_constant<std::size_t, 0>());
  }
}

template <std::size_t Words>
NESTOR_INLINE PackedStateSet::Place PackedStateSet::look_for(StateView state) const {
  assert(state.size() == words_);
  const std::uint64_t h = hash<Words>(state);
  const auto tag = static_cast<std::uint8_t>((h >> 56) | 1);
  const std::size_t slots = tags_.size();
  std::size_t slot = first_slot(h, slots);
  for (; tags_[slot] != 0; slot = slot + 1 == slots ? 0 : slot + 1) {
    if (tags_[slot] == tag && are_equal<Words>((*this)[numbers_[slot]], state)) {
      return {slot, tag, true};
    }
  }
  return {slot, tag, false};
}

template <std::size_t Words>
NESTOR_INLINE PackedStateSet::Inserted PackedStateSet::insert_as(StateView state) {
  const Place place = look_for<Words>(state);
  if (place.found) {
    return {numbers_[place.slot], false};
  }
  const std::uint32_t number = size_;
  if (number >> states_per_block_log_ == blocks_.size()) {
    blocks_.push_back(
        std::make_unique_for_overwrite<std::uint32_t[]>(words_ << states_per_block_log_));
  }
  const std::size_t inside = number & ((std::size_t{1} << states_per_block_log_) - 1);
  std::ranges::copy(state, blocks_.back().get() + inside * words_);
  tags_[place.slot] = place.tag;
  numbers_[place.slot] = number;
  ++size_;
  return {number, true};
}

PackedStateSet::Inserted PackedStateSet::insert(StateView state) {
  assert(size_ < kMostStates);
  if (is_full()) {
    grow();
  }
  return with_words([&](auto words) { return insert_as<words>(state); });
}

std::uint32_t PackedStateSet::find(StateView state) {
  if (is_full()) {
    grow();
  }
  const Place place = with_words([&](auto words) { return look_for<words>(state); });
  return place.found ? numbers_[place.slot] : kAbsent;
}

template <std::size_t Words>
void PackedStateSet::fill_index() {
  const std::size_t slots = tags_.size();
  for (std::uint32_t number = 0; number < size_; ++number) {
    const std::uint64_t h = hash<Words>((*this)[number]);
    std::size_t slot = first_slot(h, slots);
    while (tags_[slot] != 0) {
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
    tags_[slot] = static_cast<std::uint8_t>((h >> 56) | 1);
    numbers_[slot] = number;
  }
}

void PackedStateSet::grow() {
  // The old index is of no use to the new one: give it back first. If there is no memory for the
  // new one, the set is one without index, which counts as full.
  drop_index();
  std::size_t slots = kFirstSlots;
  while (is_full(size_, slots)) {
    slots = slots_after(slots);
  }
  std::vector<std::uint8_t> tags(slots);
  numbers_.resize(slots);
  tags_ = std::move(tags);
  with_words([&](auto words) { fill_index<words>(); });
}

std::size_t PackedStateSet::bytes_of_larger_index() const {
  // The index is given back before a larger one is made.
  return (slots_after(tags_.size()) - tags_.size()) *
         (sizeof(std::uint8_t) + sizeof(std::uint32_t));
}

void PackedStateSet::drop_index() {
  std::vector<std::uint8_t>().swap(tags_);
  std::vector<std::uint32_t>().swap(numbers_);
}

std::size_t PackedStateSet::memory_bytes() const {
  // Of the last block, what no state was written to is not there yet.
  return size_ * words_ * sizeof(std::uint32_t) + tags_.capacity() +
         numbers_.capacity() * sizeof(std::uint32_t);
}

}  // namespace nestor::base
