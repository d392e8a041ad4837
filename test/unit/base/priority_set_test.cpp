#include "base/priority_set.h"

#include <gtest/gtest.h>

#include <vector>

namespace nestor::base {
namespace {

std::vector<std::size_t> drain(PrioritySet& set) {
  std::vector<std::size_t> taken;
  while (!set.empty()) {
    taken.push_back(set.pop_min());
  }
  return taken;
}

TEST(PrioritySet, GivesTheSmallestFirst) {
  PrioritySet set(5000);
  for (const std::size_t i : {4999U, 64U, 0U, 63U, 4096U, 64U}) {
    set.insert(i);
  }
  EXPECT_EQ(drain(set), (std::vector<std::size_t>{0, 63, 64, 4096, 4999}));
}

TEST(PrioritySet, TakesWhatIsInsertedMeanwhile) {
  PrioritySet set(200);
  set.insert(150);
  set.insert(190);
  EXPECT_EQ(set.pop_min(), 150U);
  set.insert(3);
  EXPECT_EQ(drain(set), (std::vector<std::size_t>{3, 190}));
}

TEST(PrioritySet, MayHaveNoRoom) {
  PrioritySet set(0);
  EXPECT_TRUE(set.empty());
}

}  // namespace
}  // namespace nestor::base
