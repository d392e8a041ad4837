#include "model/rebuild.h"

#include "sample.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace nestor::model {
namespace {

using Names = std::vector<std::string>;

void expect_same(const Rsm& a, const Rsm& b) {
  ASSERT_EQ(a.component_count(), b.component_count());
  ASSERT_EQ(a.node_count(), b.node_count());
  ASSERT_EQ(a.prop_count(), b.prop_count());
  for (const NodeId n : a.nodes()) {
    EXPECT_EQ(a.describe(n), b.describe(n));
    EXPECT_EQ(a.kind(n), b.kind(n));
    EXPECT_EQ(a.is_entry(n), b.is_entry(n));
    EXPECT_EQ(a.is_exit(n), b.is_exit(n));
    EXPECT_TRUE(std::ranges::equal(a.successors(n), b.successors(n))) << a.describe(n);
    EXPECT_EQ(a.position(n).has_value(), b.position(n).has_value());
  }
  for (std::size_t p = 0; p < a.prop_count(); ++p) {
    EXPECT_TRUE(std::ranges::equal(a.nodes_with(PropId(p)),
                                   b.nodes_with(b.find_prop(a.prop_name(PropId(p))))));
  }
  EXPECT_TRUE(std::ranges::equal(a.initial_nodes(), b.initial_nodes()));
  EXPECT_EQ(a.initial_nodes_named(), b.initial_nodes_named());
}

TEST(Rebuild, NothingChangedGivesTheSameModel) {
  expect_same(rebuild(sample(), {}), sample());
}

TEST(Rebuild, KeepsNamedInitialNodes) {
  ModelBuilder builder("sample");
  build_sample(builder);
  builder.initial_node("end");
  builder.initial_node("same");
  const Rsm model = builder.finish();
  const Rsm again = rebuild(model, {});
  expect_same(again, model);
  EXPECT_EQ(describe(again, again.initial_nodes()), (Names{"main.end", "main.same"}));
}

TEST(Rebuild, DropsWhatRefersToADroppedNode) {
  const Rsm model = sample();
  Rebuild what;
  what.keep_node = [&](NodeId n) { return model.describe(n) != "main.same"; };
  const Rsm less = rebuild(model, what);
  EXPECT_EQ(less.plain_node_count(), model.plain_node_count() - 1);
  EXPECT_EQ(describe(less, less.successors(find(less, "main.start"))),
            (Names{"main.second.in2", "main.first.in1", "main.end"}));
  EXPECT_TRUE(find(less, "f.same").valid());
  EXPECT_FALSE(less.find_prop("r").valid());
}

TEST(Rebuild, DropsWhatRefersToADroppedEntryOrBox) {
  const Rsm model = sample();
  Rebuild what;
  what.keep_node = [&](NodeId n) { return model.describe(n) != "f.in2"; };
  what.keep_box = [&](BoxId b) { return model.box_name(b) != "first"; };
  const Rsm less = rebuild(model, what);
  EXPECT_EQ(describe(less, less.successors(find(less, "main.start"))),
            (Names{"main.same", "main.same", "main.end"}));
  EXPECT_EQ(describe(less, less.entries(ComponentId(0))), (Names{"f.in1", "f.through"}));
  EXPECT_EQ(less.box_count(), 2U);
}

TEST(Rebuild, DropsAComponentAndItsCallers) {
  const Rsm model = sample();
  Rebuild what;
  what.keep_component = [&](ComponentId c) { return model.component_name(c) != "f"; };
  const Rsm less = rebuild(model, what);
  EXPECT_EQ(less.component_count(), 1U);
  EXPECT_EQ(less.box_count(), 1U);
  EXPECT_EQ(describe(less, less.successors(find(less, "main.start"))),
            (Names{"main.same", "main.same", "main.end"}));
}

TEST(Rebuild, DropsOneTransitionOrLabel) {
  const Rsm model = sample();
  Rebuild what;
  what.keep_transition = [&](NodeId from, std::size_t i) {
    return model.describe(from) != "main.start" || i != 1;
  };
  what.keep_label = [&](PropId p, NodeId n) {
    return model.prop_name(p) != "p" || model.describe(n) != "f.out1";
  };
  const Rsm less = rebuild(model, what);
  EXPECT_EQ(describe(less, less.successors(find(less, "main.start"))),
            (Names{"main.second.in2", "main.first.in1", "main.same", "main.end"}));
  EXPECT_EQ(describe(less, less.nodes_with(less.find_prop("p"))), (Names{"f.in1", "f.through"}));
}

TEST(LoopDeadEnds, EveryDeadEndLoopsAndNothingElseChanges) {
  const Rsm model = sample();
  const Rsm looped = loop_dead_ends(model);
  for (const NodeId n : looped.nodes()) {
    EXPECT_FALSE(looped.is_dead_end(n)) << looped.describe(n);
  }
  std::size_t added = 0;
  for (const NodeId n : model.nodes()) {
    const NodeId same = [&] {  // describe() does not tell a call node from a return node
      for (const NodeId m : looped.nodes()) {
        if (looped.describe(m) == model.describe(n) && looped.kind(m) == model.kind(n)) {
          return m;
        }
      }
      return NodeId();
    }();
    ASSERT_TRUE(same.valid());
    if (model.is_dead_end(n)) {
      ASSERT_EQ(looped.successors(same).size(), 1U);
      const NodeId next = looped.successors(same).front();
      EXPECT_EQ(describe(looped, looped.successors(next)), (Names{looped.describe(next)}));
      // The loop carries the labels of the exit.
      Names labels;
      for (const PropId p : looped.props_of(next)) {
        labels.emplace_back(looped.prop_name(p));
      }
      Names expected;
      for (const PropId p : model.props_of(model.origin(n))) {
        expected.emplace_back(model.prop_name(p));
      }
      EXPECT_EQ(labels, expected) << model.describe(n);
      ++added;
    } else {
      EXPECT_EQ(describe(looped, looped.successors(same)), describe(model, model.successors(n)));
    }
  }
  EXPECT_EQ(added, 3U);  // all of them return nodes, so each needs a node to loop on
  EXPECT_EQ(looped.plain_node_count(), model.plain_node_count() + 3);
}

TEST(LoopDeadEnds, PlainDeadEndLoopsOnItself) {
  ModelBuilder builder("m");
  builder.component("c");
  builder.node({.name = "s", .is_entry = true});
  builder.node({.name = "d"});
  builder.transition(Ref::node("s"), Ref::node("d"));
  builder.initial_component("c");
  const Rsm model = builder.finish(DeadEnds::Loop);
  EXPECT_EQ(model.node_count(), 2U);
  EXPECT_EQ(describe(model, model.successors(find(model, "c.d"))), (Names{"c.d"}));
}

TEST(LoopDeadEnds, NewNamesAvoidEachOther) {
  ModelBuilder builder("m");
  builder.component("c");
  builder.node({.name = "x:y", .is_entry = true, .is_exit = true});
  builder.node({.name = "y", .is_exit = true});
  builder.box("b", "c");    // its return nodes are (b, x:y), …
  builder.box("b:x", "c");  // … and (b:x, y)
  builder.initial_component("c");
  const Rsm model = builder.finish(DeadEnds::Loop);
  EXPECT_EQ(model.plain_node_count(), 2U + 4U);
}

TEST(LoopDeadEnds, NewNamesAvoidOldOnes) {
  ModelBuilder builder("m");
  builder.component("c");
  builder.node({.name = "s", .is_entry = true, .is_exit = true});
  builder.node({.name = "end:b:s"});
  builder.box("b", "c");
  builder.transition(Ref::node("end:b:s"), Ref::node("s"));
  builder.initial_component("c");
  const Rsm model = builder.finish(DeadEnds::Loop);
  EXPECT_EQ(model.plain_node_count(), 3U);
}

}  // namespace
}  // namespace nestor::model
