#include "base/string_pool.h"

#include <gtest/gtest.h>

namespace nestor::base {
namespace {

TEST(StringPool, GivesEqualStringsEqualIds) {
  StringPool pool;
  const StringId a = pool.intern("alpha");
  const StringId b = pool.intern("beta");
  EXPECT_NE(a, b);
  EXPECT_EQ(pool.intern("alpha"), a);
  EXPECT_EQ(pool[a], "alpha");
  EXPECT_EQ(pool[b], "beta");
  EXPECT_EQ(pool.size(), 2U);
}

TEST(StringPool, FindsWithoutAdding) {
  StringPool pool;
  EXPECT_FALSE(pool.find("x").valid());
  EXPECT_EQ(pool.size(), 0U);
  const StringId x = pool.intern("x");
  EXPECT_EQ(pool.find("x"), x);
}

TEST(StringPool, HoldsTheEmptyStringAndZeroBytes) {
  StringPool pool;
  const StringId empty = pool.intern("");
  const std::string with_zero("a\0b", 3);
  const StringId zero = pool.intern(with_zero);
  EXPECT_EQ(pool[empty], "");
  EXPECT_EQ(pool[zero], with_zero);
  EXPECT_FALSE(pool.find("a").valid());
}

TEST(StringPool, GrowsBeyondItsFirstTable) {
  StringPool pool;
  for (int i = 0; i < 20000; ++i) {
    ASSERT_EQ(pool.intern("name" + std::to_string(i)).value(), static_cast<std::uint32_t>(i));
  }
  for (int i = 0; i < 20000; ++i) {
    ASSERT_EQ(pool.find("name" + std::to_string(i)).value(), static_cast<std::uint32_t>(i));
  }
}

}  // namespace
}  // namespace nestor::base
