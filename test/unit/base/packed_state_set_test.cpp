#include "base/packed_state_set.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace nestor::base {
namespace {

TEST(BitLayout, FieldsDoNotOverlapAndFillWords) {
  BitLayout layout;
  const std::vector<std::uint32_t> largest = {1, 7, 0, 0xffff'ffff, 1000, 0xffff, 3, 1};
  std::vector<BitField> fields;
  fields.reserve(largest.size());
  for (const std::uint32_t l : largest) {
    fields.push_back(layout.add(l));
  }
  EXPECT_EQ(layout.bits(), 1U + 3 + 0 + 32 + 10 + 16 + 2 + 1);
  EXPECT_EQ(layout.words(), 3U);
  // Written in any order, every field keeps its own value.
  std::vector<std::uint32_t> state(layout.words());
  for (std::size_t i = fields.size(); i-- > 0;) {
    fields[i].set(state, largest[i]);
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    fields[i].set(state, largest[i] / 2);
    for (std::size_t j = 0; j < fields.size(); ++j) {
      EXPECT_EQ(fields[j].get(state), j <= i ? largest[j] / 2 : largest[j]);
    }
  }
}

TEST(BitLayout, NothingTakesAWord) {
  BitLayout layout;
  const BitField field = layout.add(0);
  EXPECT_EQ(layout.bits(), 0U);
  EXPECT_EQ(layout.words(), 1U);
  std::vector<std::uint32_t> state(1, 0xabcdU);
  field.set(state, 0);
  EXPECT_EQ(field.get(state), 0U);
  EXPECT_EQ(state[0], 0xabcdU);
}

TEST(PackedStateSet, NumbersStatesLikeAMap) {
  for (const std::size_t words : {1U, 2U, 5U, 70000U}) {
    std::mt19937 random(7);
    PackedStateSet set(words);
    std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
    const int rounds = words > 1000 ? 40 : 20000;
    for (int i = 0; i < rounds; ++i) {
      std::vector<std::uint32_t> state(words, 5);
      state[random() % words] = static_cast<std::uint32_t>(random() % 6000);
      EXPECT_EQ(set.find(state), numbers.contains(state) ? numbers[state] : set.kAbsent);
      const auto [place, is_new] =
          numbers.try_emplace(state, static_cast<std::uint32_t>(numbers.size()));
      const PackedStateSet::Inserted inserted = set.insert(state);
      ASSERT_EQ(inserted.is_new, is_new);
      ASSERT_EQ(inserted.number, place->second);
    }
    ASSERT_EQ(set.size(), numbers.size());
    set.drop_index();
    for (const auto& [state, number] : numbers) {
      ASSERT_TRUE(std::ranges::equal(set[number], state));
    }
  }
}

TEST(PackedStateSet, TakesLittleMoreThanTheStates) {
  constexpr std::uint32_t kStates = 1'000'000;
  PackedStateSet set(4);
  std::vector<std::uint32_t> state(4);
  for (std::uint32_t i = 0; i < kStates; ++i) {
    state[i % 4] = i * 2654435761U;
    set.insert(state);
  }
  ASSERT_EQ(set.size(), kStates);
  EXPECT_LE(set.memory_bytes(), std::size_t{kStates} * (16 + 14) + (std::size_t{1} << 20));
}

}  // namespace
}  // namespace nestor::base
