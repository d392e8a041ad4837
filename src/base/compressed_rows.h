#pragma once

#include "base/debug_assert.h"
#include "base/id.h"

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

namespace nestor::base {

/// Compressed sparse rows: for each row a contiguous list of items, in the order they were added.
/// Filled in two passes: count every item, then add every item.
template <class RowId, class Item>
class CompressedRows {
 public:
  CompressedRows() = default;
  explicit CompressedRows(std::size_t rows) : offsets_(rows + 1, 0) {}

  std::size_t row_count() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  std::size_t item_count() const { return items_.size(); }

  std::span<const Item> operator[](RowId row) const {
    NESTOR_DEBUG_ASSERT(row.value() + 1 < offsets_.size());
    const std::uint32_t first = offsets_[row.value()];
    return {items_.data() + first, offsets_[row.value() + 1] - first};
  }

  /// First pass.
  void count(RowId row, std::uint32_t items = 1) { offsets_[row.value() + 1] += items; }
  /// Between the passes. Afterwards offsets_[r] is where the next item of row r goes.
  void finish_counting() {
    std::uint32_t sum = 0;
    for (std::size_t r = 0; r + 1 < offsets_.size(); ++r) {
      const std::uint32_t size = offsets_[r + 1];
      offsets_[r + 1] = sum;
      sum += size;
    }
    items_.resize(sum);
  }
  /// Second pass.
  void add(RowId row, Item item) { items_[offsets_[row.value() + 1]++] = item; }

  /// Instead of the two passes: rows that are known one after the other, at most 2^32 - 1 items.
  void append_row(std::span<const Item> row) {
    if (offsets_.empty()) {
      offsets_.push_back(0);
    }
    items_.insert(items_.end(), row.begin(), row.end());
    offsets_.push_back(static_cast<std::uint32_t>(items_.size()));
  }

  /// Puts another item in the place of one.
  void replace(RowId row, std::size_t position, Item item) {
    assert(position < (*this)[row].size());
    items_[offsets_[row.value()] + position] = item;
  }

  std::size_t memory_bytes() const {
    return offsets_.capacity() * sizeof(std::uint32_t) + items_.capacity() * sizeof(Item);
  }

 private:
  // Until all items are added, offsets_[r + 1] is where the next item of row r goes; then it is
  // where row r ends. So no second array of positions is needed.
  std::vector<std::uint32_t> offsets_;
  std::vector<Item> items_;
};

}  // namespace nestor::base
