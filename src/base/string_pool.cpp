#include "base/string_pool.h"

#include "base/error.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <limits>

namespace nestor::base {

namespace {
/// Names that differ in their last character only, as numbered ones do, get neighbouring slots:
/// they are mostly met one after the other, and then share a line of the cache.
std::uint32_t hash_of(std::string_view text) {
  constexpr std::uint32_t kNeighbours = 15;
  if (text.empty()) {
    return 0;
  }
  const auto hash = static_cast<std::uint32_t>(XXH3_64bits(text.data(), text.size() - 1));
  return (hash & ~kNeighbours) | (static_cast<unsigned char>(text.back()) & kNeighbours);
}
}  // namespace

StringPool::StringPool() : ends_{0}, slots_(1024) {}

StringPool::Slot& StringPool::slot_of(std::string_view text, std::uint32_t hash) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (!slot.id.valid() || (slot.hash == hash && (*this)[slot.id] == text)) {
      return slot;
    }
  }
}

StringId StringPool::intern(std::string_view text) {
  if ((size() + 1) * 2 > slots_.size()) {
    grow();
  }
  const std::uint32_t hash = hash_of(text);
  Slot& slot = slot_of(text, hash);
  if (slot.id.valid()) {
    return slot.id;
  }
  if (bytes_.size() + text.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(Error::Kind::Unsupported, "more than 4 GiB of names");
  }
  const StringId id(size());
  bytes_.resize(ends_.back());  // more only if there was no memory for the end of a string
  bytes_ += text;
  ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  slot = {hash, id};
  return id;
}

StringId StringPool::find(std::string_view text) const {
  // slot_of changes nothing; it is not const only so that intern() can write to what it finds.
  return const_cast<StringPool*>(this)->slot_of(text, hash_of(text)).id;
}

void StringPool::fetch(std::string_view text) const {
  __builtin_prefetch(&slots_[hash_of(text) & (slots_.size() - 1)]);
}

void StringPool::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id.valid()) {
      std::size_t i = slot.hash & mask;
      while (slots_[i].id.valid()) {
        i = (i + 1) & mask;
      }
      slots_[i] = slot;
    }
  }
}

}  // namespace nestor::base
