#include "base/compressed_rows.h"

#include <gtest/gtest.h>

namespace nestor::base {
namespace {

using RowId = Id<struct RowTag>;

std::vector<int> items(const CompressedRows<RowId, int>& rows, std::size_t row) {
  const std::span<const int> span = rows[RowId(row)];
  return {span.begin(), span.end()};
}

TEST(CompressedRows, KeepsTheOrderOfEachRow) {
  CompressedRows<RowId, int> rows(4);
  rows.count(RowId(2));
  rows.count(RowId(0), 2);
  rows.count(RowId(2));
  rows.finish_counting();
  rows.add(RowId(2), 20);
  rows.add(RowId(0), 1);
  rows.add(RowId(2), 10);
  rows.add(RowId(0), 1);
  EXPECT_EQ(rows.row_count(), 4U);
  EXPECT_EQ(rows.item_count(), 4U);
  EXPECT_EQ(items(rows, 0), (std::vector<int>{1, 1}));
  EXPECT_EQ(items(rows, 1), std::vector<int>{});
  EXPECT_EQ(items(rows, 2), (std::vector<int>{20, 10}));
  EXPECT_EQ(items(rows, 3), std::vector<int>{});
}

TEST(CompressedRows, CanBeEmpty) {
  EXPECT_EQ((CompressedRows<RowId, int>().row_count()), 0U);
  CompressedRows<RowId, int> rows(1);
  rows.finish_counting();
  EXPECT_TRUE(rows[RowId(0)].empty());
}

}  // namespace
}  // namespace nestor::base
