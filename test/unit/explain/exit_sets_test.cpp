#include "explain/exit_sets.h"

#include <gtest/gtest.h>

namespace nestor::explain {
namespace {

std::vector<std::uint32_t> items(const ExitSets& sets, ExitSets::SetId id) {
  return {sets[id].begin(), sets[id].end()};
}

TEST(ExitSets, UnitesAndKeepsEachSetOnce) {
  ExitSets sets;
  const ExitSets::SetId one = sets.single(1);
  const ExitSets::SetId three = sets.single(3);
  EXPECT_EQ(sets.single(1), one);
  EXPECT_EQ(sets.unite(one, ExitSets::kEmpty), one);
  EXPECT_EQ(sets.unite(ExitSets::kEmpty, three), three);
  EXPECT_EQ(sets.unite(one, one), one);
  const ExitSets::SetId both = sets.unite(three, one);
  EXPECT_EQ(items(sets, both), (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(sets.unite(one, three), both);
  EXPECT_EQ(sets.unite(both, one), both);
  EXPECT_TRUE(items(sets, ExitSets::kEmpty).empty());
}

}  // namespace
}  // namespace nestor::explain
