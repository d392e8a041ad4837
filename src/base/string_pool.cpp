#include "base/string_pool.h"

#include "base/error.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <limits>

namespace nestor {

namespace {
std::uint32_t hash_of(std::string_view text) {
  return static_cast<std::uint32_t>(XXH3_64bits(text.data(), text.size()));
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
  const std::uint32_t hash = hash_of(text);
  Slot& slot = slot_of(text, hash);
  if (slot.id.valid()) {
    return slot.id;
  }
  if (bytes_.size() + text.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(Error::Kind::Unsupported, "more than 4 GiB of names");
  }
  const StringId id(size());
  slot = {hash, id};
  bytes_ += text;
  ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  if (size() * 2 > slots_.size()) {
    grow();
  }
  return id;
}

StringId StringPool::find(std::string_view text) const {
  // slot_of changes nothing; it is not const only so that intern() can write to what it finds.
  return const_cast<StringPool*>(this)->slot_of(text, hash_of(text)).id;
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

}  // namespace nestor
