#include "base/id.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace nestor::base {
namespace {

using FirstId = Id<struct FirstTag>;
using SecondId = Id<struct SecondTag>;

static_assert(!std::is_convertible_v<FirstId, SecondId>, "ids of two kinds must not mix");
static_assert(!std::is_convertible_v<int, FirstId>, "a number is no id by accident");
static_assert(sizeof(FirstId) == 4);

TEST(Id, IsInvalidUntilGivenAValue) {
  EXPECT_FALSE(FirstId().valid());
  EXPECT_TRUE(FirstId(0).valid());
  EXPECT_EQ(FirstId(7).value(), 7U);
}

TEST(Id, CountsAndCompares) {
  FirstId id(3);
  ++id;
  EXPECT_EQ(id, FirstId(4));
  EXPECT_EQ(id + 2, FirstId(6));
  EXPECT_EQ(FirstId(6) - id, 2U);
  EXPECT_LT(id, FirstId(5));
}

TEST(Id, CanBeHashed) {
  const std::unordered_set<FirstId> ids{FirstId(1), FirstId(2), FirstId(1)};
  EXPECT_EQ(ids.size(), 2U);
}

TEST(IdRange, RunsFromFirstToLastExclusive) {
  const IdRange<FirstId> range(FirstId(2), FirstId(5));
  std::vector<std::uint32_t> seen;
  for (const FirstId id : range) {
    seen.push_back(id.value());
  }
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{2, 3, 4}));
  EXPECT_EQ(range.size(), 3U);
  EXPECT_TRUE(range.contains(FirstId(4)));
  EXPECT_FALSE(range.contains(FirstId(5)));
  EXPECT_TRUE(IdRange<FirstId>(FirstId(2), FirstId(2)).empty());
}

TEST(IdVector, IsIndexedByItsIds) {
  IdVector<FirstId, std::string> names;
  const FirstId a = names.push_back("a");
  const FirstId b = names.push_back("b");
  EXPECT_EQ(names[a], "a");
  EXPECT_EQ(names[b], "b");
  EXPECT_EQ(names.ids().size(), 2U);
}

}  // namespace
}  // namespace nestor::base
