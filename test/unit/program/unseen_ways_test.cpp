#include "program/unseen_ways.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace nestor::program {
namespace {

using Item = UnseenWays::Item;

/// Points from kFirst on; `next` names them by their distance from it.
Function flow(const std::vector<std::vector<std::uint32_t>>& next) {
  Function function;
  function.add_ends();
  for (const std::vector<std::uint32_t>& to : next) {
    Point point;
    for (const std::uint32_t p : to) {
      point.next.push_back(Function::kFirst + p);
    }
    function.points.push_back(std::move(point));
  }
  return function;
}

std::vector<std::pair<std::uint32_t, bool>> between(const Function& function, std::uint32_t from,
                                                    std::uint32_t to,
                                                    const std::vector<std::uint32_t>& shown) {
  std::vector<std::uint8_t> marks(function.points.size(), 0);
  for (const std::uint32_t p : shown) {
    marks[Function::kFirst + p] = 1;
  }
  const UnseenWays ways =
      PointFlow(function).between(Function::kFirst + from, Function::kFirst + to, &marks);
  std::vector<std::pair<std::uint32_t, bool>> items;
  for (const Item& item : ways.items) {
    items.emplace_back(item.point - Function::kFirst, item.is_sure);
  }
  return items;
}

using Items = std::vector<std::pair<std::uint32_t, bool>>;

TEST(UnseenWays, OneWayIsSure) {
  const Function function = flow({{1}, {2}, {3}, {}});
  EXPECT_EQ(between(function, 0, 3, {0, 3}), (Items{{1, true}, {2, true}}));
}

TEST(UnseenWays, NothingIsBetweenPointsThatAreAllShown) {
  const Function function = flow({{1, 2}, {3}, {3}, {}});
  EXPECT_EQ(between(function, 0, 1, {0, 1, 2, 3}), Items());
}

// 0 -> 1 -> 2 or 3 -> 4 -> 5: only 1 and 4 are on every way.
TEST(UnseenWays, OfTwoBranchesNeitherIsSure) {
  const Function function = flow({{1}, {2, 3}, {4}, {4}, {5}, {}});
  const Items items = between(function, 0, 5, {0, 5});
  EXPECT_EQ(items.size(), 4U);
  EXPECT_NE(std::find(items.begin(), items.end(), std::pair(1U, true)), items.end());
  EXPECT_NE(std::find(items.begin(), items.end(), std::pair(2U, false)), items.end());
  EXPECT_NE(std::find(items.begin(), items.end(), std::pair(3U, false)), items.end());
  EXPECT_EQ(items.back(), std::pair(4U, true));
}

// 0 -> 1 -> 2 -> 1, 2 -> 3 -> 4: a loop may turn any number of times.
TEST(UnseenWays, ALoopIsNotSureAndWhatFollowsIs) {
  const Function function = flow({{1}, {2}, {1, 3}, {4}, {}});
  EXPECT_EQ(between(function, 0, 4, {0, 4}), (Items{{1, false}, {2, false}, {3, true}}));
}

// 0 -> 1 -> 3 and 0 -> 2 -> 3, where 2 is shown: it cannot have been passed.
TEST(UnseenWays, WhatTheModelShowsIsNotPassed) {
  const Function function = flow({{1, 2}, {3}, {3}, {}});
  EXPECT_EQ(between(function, 0, 3, {0, 2, 3}), (Items{{1, true}}));
}

// A way around that is direct makes all of the others uncertain.
TEST(UnseenWays, WhereTheFlowMayGoDirectlyNothingIsSure) {
  const Function function = flow({{1, 2}, {2}, {}});
  EXPECT_EQ(between(function, 0, 2, {0, 2}), (Items{{1, false}}));
}

TEST(UnseenWays, WithoutAWayAnythingMayHaveHappened) {
  const Function function = flow({{}, {}});
  std::vector<std::uint8_t> shown(function.points.size(), 0);
  EXPECT_TRUE(
      PointFlow(function).between(Function::kFirst, Function::kFirst + 1, &shown).is_unknown);
}

}  // namespace
}  // namespace nestor::program
