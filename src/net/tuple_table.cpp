#include "net/tuple_table.h"

#include "base/limits.h"

#include <algorithm>

namespace nestor::net {

namespace {

constexpr std::uint32_t kMostNumbers = 0x7fff'ffffU;  // so that a bit field holds number and none
constexpr std::size_t kFirstSlots = 16;

std::uint64_t hash_of(TupleTable::Tuple tuple) {
  std::uint64_t hash = 0x9e37'79b9'7f4a'7c15ULL;
  for (const std::int64_t value : tuple) {
    hash = (hash ^ static_cast<std::uint64_t>(value)) * 0xff51'afd7'ed55'8ccdULL;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

/// Where the tuple is, or the free slot where it would be.
std::size_t TupleTable::slot_of(Tuple tuple) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of(tuple) & mask;
  while (slots_[slot] != kAbsent && !std::ranges::equal((*this)[slots_[slot]], tuple)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

std::uint32_t TupleTable::find(Tuple tuple) const {
  return slots_.empty() ? kAbsent : slots_[slot_of(tuple)];
}

std::uint32_t TupleTable::intern(Tuple tuple) {
  if (2 * (size_ + std::size_t{1}) > slots_.size()) {
    grow();
  }
  const std::size_t slot = slot_of(tuple);
  if (slots_[slot] == kAbsent) {
    if (size_ == kMostNumbers) {
      throw base::LimitReached{"more tuples in a place than can be numbered"};
    }
    values_.insert(values_.end(), tuple.begin(), tuple.end());
    slots_[slot] = size_++;
  }
  return slots_[slot];
}

void TupleTable::grow() {
  std::vector<std::uint32_t> old(std::max(kFirstSlots, 2 * slots_.size()), kAbsent);
  std::swap(old, slots_);
  for (std::uint32_t number = 0; number < size_; ++number) {
    slots_[slot_of((*this)[number])] = number;
  }
}

}  // namespace nestor::net
