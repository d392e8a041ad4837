#include "base/bit_set.h"

#include <gtest/gtest.h>

namespace nestor::base {
namespace {

TEST(BitSet, SetsAndResetsAcrossWords) {
  BitSet set(130);
  for (const std::size_t i : {0U, 63U, 64U, 129U}) {
    EXPECT_FALSE(set.test(i));
    set.set(i);
    EXPECT_TRUE(set.test(i));
  }
  EXPECT_EQ(set.count(), 4U);
  set.reset(64);
  EXPECT_FALSE(set.test(64));
  EXPECT_TRUE(set.test(63));
  EXPECT_EQ(set.count(), 3U);
}

TEST(BitSet, InsertTellsWhatIsNew) {
  BitSet set(10);
  EXPECT_TRUE(set.insert(3));
  EXPECT_FALSE(set.insert(3));
}

TEST(BitSet, SetAllSetsExactlyItsSize) {
  // Bits beyond the size would make equal sets differ and counts wrong.
  BitSet set(70);
  set.set_all();
  EXPECT_EQ(set.count(), 70U);
}

TEST(BitSet, FlipAllStaysWithinItsSize) {
  BitSet set(70);
  set.set(3);
  set.set(69);
  set.flip_all();
  EXPECT_EQ(set.count(), 68U);
  EXPECT_FALSE(set.test(3));
  EXPECT_TRUE(set.test(68));
}

TEST(BitSet, VisitsAscending) {
  BitSet set(200);
  for (const std::size_t i : {199U, 5U, 64U, 63U}) {
    set.set(i);
  }
  std::vector<std::size_t> seen;
  set.for_each([&](std::size_t i) { seen.push_back(i); });
  EXPECT_EQ(seen, (std::vector<std::size_t>{5, 63, 64, 199}));
}

TEST(BitSet, UnitesAndCompares) {
  BitSet a(100);
  BitSet b(100);
  a.set(1);
  b.set(99);
  EXPECT_NE(a, b);
  a |= b;
  EXPECT_TRUE(a.test(1));
  EXPECT_TRUE(a.test(99));
  EXPECT_FALSE(b.test(1));
  b.set(1);
  EXPECT_EQ(a, b);
}

TEST(BitSet, EmptyHasNone) {
  EXPECT_FALSE(BitSet(0).any());
  BitSet set(65);
  EXPECT_FALSE(set.any());
  set.set(64);
  EXPECT_TRUE(set.any());
}

}  // namespace
}  // namespace nestor::base
