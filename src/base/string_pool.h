#pragma once

#include "base/id.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::base {

using StringId = Id<struct StringTag>;

/// Every distinct string once, in one block of memory.
class StringPool {
 public:
  StringPool();

  StringId intern(std::string_view text);
  /// Not valid if the string was never interned.
  StringId find(std::string_view text) const;
  /// For a string that is looked for soon: in a large pool, memory takes longer than all else.
  void fetch(std::string_view text) const;
  /// The view is valid until the next intern().
  std::string_view operator[](StringId id) const {
    return {bytes_.data() + ends_[id.value()], ends_[id.value() + 1] - ends_[id.value()]};
  }
  std::size_t size() const { return ends_.size() - 1; }
  std::size_t memory_bytes() const {
    return bytes_.capacity() + 1 + ends_.capacity() * sizeof(std::uint32_t) +
           slots_.capacity() * sizeof(Slot);
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    StringId id;
  };

  Slot& slot_of(std::string_view text, std::uint32_t hash);
  void grow();

  std::string bytes_;                // all strings, one after the other
  std::vector<std::uint32_t> ends_;  // string i is bytes_[ends_[i] … ends_[i + 1])
  std::vector<Slot> slots_;          // open addressing, a power of two of them
};

}  // namespace nestor::base
