#include "program/flow_graph.h"

#include <gtest/gtest.h>

#include <vector>

namespace nestor::program {
namespace {

using Points = std::vector<std::uint32_t>;

Points items(const PointList& list) {
  return {list.begin(), list.end()};
}

TEST(PointListTest, IsInOrderWhileItGrowsAndShrinks) {
  PointList list;
  for (std::uint32_t point = 1; point <= 5; ++point) {
    list.push_back(point);
  }
  EXPECT_EQ(items(list), (Points{1, 2, 3, 4, 5}));
  list.erase(2);
  EXPECT_EQ(items(list), (Points{1, 3, 4, 5}));
  for (const std::uint32_t point : {5U, 1U, 3U, 4U}) {
    EXPECT_TRUE(list.contains(point));
    list.erase(point);
    EXPECT_FALSE(list.contains(point));
  }
  EXPECT_EQ(list.size(), 0U);
  list.push_back(7);
  list.push_back(6);
  list.push_back(8);
  list.erase(7);
  EXPECT_EQ(items(list), (Points{6, 8}));
}

TEST(FlowGraphTest, ADroppedPointLinksItsNeighbours) {
  FlowGraph flow(4);
  flow.add(0, 1);
  flow.add(0, 2);
  flow.add(1, 3);
  flow.add(2, 3);
  flow.reduce({1, 0, 1, 1});
  EXPECT_TRUE(flow.is_dropped(1));
  EXPECT_EQ(items(flow.next(0)), (Points{2, 3}));
}

}  // namespace
}  // namespace nestor::program
