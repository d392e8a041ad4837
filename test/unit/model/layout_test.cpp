#include "sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace nestor::model {
namespace {

using Names = std::vector<std::string>;

TEST(Layout, ComponentsAreContiguousPlainNodesFirstThenBoxByBox) {
  const Rsm model = sample();
  // f has 6 plain nodes; main has 3, and boxes with 3 + 3, 1 + 1 and 3 + 3 nodes.
  ASSERT_EQ(model.node_count(), 6U + 3U + 6U + 2U + 6U);
  EXPECT_EQ(model.plain_node_count(), 9U);
  EXPECT_EQ(describe(model, model.nodes()), (Names{"f.in1",
                                                   "f.out1",
                                                   "f.same",
                                                   "f.in2",
                                                   "f.out2",
                                                   "f.through",
                                                   "main.start",
                                                   "main.same",
                                                   "main.end",
                                                   "main.first.in1",
                                                   "main.first.in2",
                                                   "main.first.through",
                                                   "main.first.out1",
                                                   "main.first.out2",
                                                   "main.first.through",
                                                   "main.again.start",
                                                   "main.again.end",
                                                   "main.second.in1",
                                                   "main.second.in2",
                                                   "main.second.through",
                                                   "main.second.out1",
                                                   "main.second.out2",
                                                   "main.second.through"}));
  const Component& main = model.component(ComponentId(1));
  EXPECT_EQ(main.first_node, NodeId(6));
  EXPECT_EQ(main.plain_end, NodeId(9));
  EXPECT_EQ(main.node_end, NodeId(23));
  for (const ComponentId c : model.components()) {
    for (const NodeId n : model.component(c).nodes()) {
      EXPECT_EQ(model.component_of(n), c);
    }
  }
}

TEST(Layout, BoxNodesStandForEntriesAndExitsInTheirOrder) {
  const Rsm model = sample();
  for (const BoxId b : model.boxes()) {
    const Box& box = model.box(b);
    const auto entries = model.entries(box.callee);
    const auto exits = model.exits(box.callee);
    ASSERT_EQ(box.call_nodes().size(), entries.size());
    ASSERT_EQ(box.return_nodes().size(), exits.size());
    EXPECT_EQ(model.component_of(box.first_call), box.owner);
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
      EXPECT_EQ(model.kind(box.first_call + i), NodeKind::Call);
      EXPECT_EQ(model.origin(box.first_call + i), entries[i]);
      EXPECT_EQ(model.box_of(box.first_call + i), b);
      EXPECT_EQ(model.entry_index(entries[i]), i);
      EXPECT_FALSE(model.is_entry(box.first_call + i));
    }
    for (std::uint32_t i = 0; i < exits.size(); ++i) {
      EXPECT_EQ(model.kind(box.first_return + i), NodeKind::Return);
      EXPECT_EQ(model.origin(box.first_return + i), exits[i]);
      EXPECT_EQ(model.box_of(box.first_return + i), b);
      EXPECT_EQ(model.exit_index(exits[i]), i);
      EXPECT_FALSE(model.is_exit(box.first_return + i));
    }
  }
  for (const ComponentId c : model.components()) {
    for (const NodeId n : model.component(c).plain_nodes()) {
      EXPECT_EQ(model.kind(n), NodeKind::Plain);
      EXPECT_EQ(model.origin(n), n);
    }
  }
}

TEST(Layout, EntriesExitsAndCallers) {
  const Rsm model = sample();
  EXPECT_EQ(describe(model, model.entries(ComponentId(0))), (Names{"f.in1", "f.in2", "f.through"}));
  EXPECT_EQ(describe(model, model.exits(ComponentId(0))), (Names{"f.out1", "f.out2", "f.through"}));
  Names callers;
  for (const BoxId b : model.callers(ComponentId(0))) {
    callers.emplace_back(model.box_name(b));
  }
  EXPECT_EQ(callers, (Names{"first", "second"}));
  ASSERT_EQ(model.callers(ComponentId(1)).size(), 1U);
  EXPECT_EQ(model.box_name(model.callers(ComponentId(1)).front()), "again");
}

TEST(Layout, SuccessorsKeepOrderAndDuplicates) {
  const Rsm model = sample();
  EXPECT_EQ(describe(model, model.successors(find(model, "main.start"))),
            (Names{"main.second.in2", "main.same", "main.first.in1", "main.same", "main.end"}));
  EXPECT_EQ(model.transition_count(), 4U + 4U + 6U);
}

TEST(Layout, PredecessorsAreTheInverseOfSuccessors) {
  const Rsm model = sample();
  using Edge = std::pair<NodeId, NodeId>;
  std::vector<Edge> forward;
  std::vector<Edge> backward;
  for (const NodeId n : model.nodes()) {
    for (const NodeId to : model.successors(n)) {
      forward.emplace_back(n, to);
    }
    for (const NodeId from : model.predecessors(n)) {
      backward.emplace_back(from, n);
    }
  }
  std::sort(forward.begin(), forward.end());
  std::sort(backward.begin(), backward.end());
  EXPECT_EQ(forward.size(), model.transition_count());
  EXPECT_EQ(forward, backward);
}

TEST(Layout, LabelsBothWays) {
  const Rsm model = sample();
  ASSERT_EQ(model.prop_count(), 3U);
  EXPECT_EQ(describe(model, model.nodes_with(model.find_prop("p"))),
            (Names{"f.in1", "f.out1", "f.through"}));
  EXPECT_EQ(describe(model, model.nodes_with(model.find_prop("q"))), (Names{"f.out1", "f.in2"}));
  EXPECT_EQ(describe(model, model.nodes_with(model.find_prop("r"))), (Names{"main.same"}));
  EXPECT_FALSE(model.find_prop("s").valid());
  EXPECT_FALSE(model.find_prop("same").valid());  // a name, but no label
  const auto by_node = model.props_by_node();
  for (const NodeId n : model.nodes()) {
    const std::vector<PropId> props = model.props_of(n);
    EXPECT_TRUE(std::ranges::equal(by_node[n], props)) << model.describe(n);
    for (const PropId p : props) {
      EXPECT_TRUE(std::ranges::count(model.nodes_with(p), n) == 1);
    }
  }
}

TEST(Layout, NamesAndPositions) {
  const Rsm model = sample();
  EXPECT_EQ(model.node_name(find(model, "main.first.out2")), "out2");
  const auto position = model.position(find(model, "f.out2"));
  ASSERT_TRUE(position);
  EXPECT_EQ(model.string(position->file), "f.c");
  EXPECT_EQ(position->line, 7U);
  EXPECT_FALSE(model.position(find(model, "f.in1")));
  EXPECT_FALSE(model.position(find(model, "main.end")));
}

TEST(Layout, DeadEnds) {
  const Rsm model = sample();
  Names dead;
  for (const NodeId n : model.nodes()) {
    if (model.is_dead_end(n)) {
      dead.push_back(model.describe(n));
    }
  }
  // Return nodes nothing leaves; exits and call nodes go on elsewhere.
  EXPECT_EQ(dead, (Names{"main.first.out2", "main.first.through", "main.second.out1"}));
}

}  // namespace
}  // namespace nestor::model
