#include "base/tree_state_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace nestor::base {
namespace {

class TreeStateSetTest : public testing::TestWithParam<TreeStateSet::Shape> {};

TEST_P(TreeStateSetTest, NumbersStatesLikeAMap) {
  for (const std::size_t words : {1U, 2U, 3U, 4U, 5U, 7U, 24U, 25U, 100U}) {
    std::mt19937 random(7);
    TreeStateSet set(words, GetParam());
    std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
    std::vector<std::uint32_t> state(words, 5);
    for (int i = 0; i < 5000; ++i) {
      state[random() % words] = static_cast<std::uint32_t>(random() % 6);
      EXPECT_EQ(set.find(state), numbers.contains(state) ? numbers[state] : set.kAbsent);
      const auto [place, is_new] =
          numbers.try_emplace(state, static_cast<std::uint32_t>(numbers.size()));
      const TreeStateSet::Inserted inserted = set.insert(state);
      ASSERT_EQ(inserted.is_new, is_new);
      ASSERT_EQ(inserted.number, place->second);
      if (i % 3 == 0) {
        set.expect_near(static_cast<std::uint32_t>(random() % set.size()));
      }
    }
    ASSERT_EQ(set.size(), numbers.size());
    set.drop_index();
    for (const auto& [expected, number] : numbers) {
      ASSERT_TRUE(std::ranges::equal(set[number], expected));
    }
    ASSERT_EQ(set.find(state), numbers.at(state));
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, TreeStateSetTest,
                         testing::Values(TreeStateSet::Shape::Tree, TreeStateSet::Shape::Flat));

TEST(TreeStateSet, WideStatesThatAreMuchAlikeTakeLittle) {
  constexpr std::uint32_t kDigits = 19;  // a counter of them: half a million states of 640 bytes
  TreeStateSet set(160);
  std::vector<std::uint32_t> state(160, 7);
  for (std::uint32_t i = 0; i < 1U << kDigits; ++i) {
    for (std::uint32_t digit = 0; digit < kDigits; ++digit) {
      state[digit * 8] = i >> digit & 1;
    }
    set.insert(state);
  }
  ASSERT_EQ(set.size(), 1U << kDigits);
  EXPECT_LE(set.memory_bytes(), set.size() * std::size_t{22});
}

}  // namespace
}  // namespace nestor::base
