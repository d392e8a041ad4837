#include "model/inspect.h"

#include "model/builder.h"

#include <gtest/gtest.h>

namespace nestor::model {
namespace {

using Ref = ModelBuilder::Ref;

void add_node(ModelBuilder& builder, std::string_view name, bool entry = false, bool exit = false) {
  builder.node({.name = name, .is_entry = entry, .is_exit = exit});
}

/// A component whose entry calls each of `callees` in turn and then leaves.
void add_caller(ModelBuilder& builder, std::string_view name,
                const std::vector<std::string>& callees) {
  builder.component(name);
  add_node(builder, "in", true);
  add_node(builder, "out", false, true);
  builder.transition(Ref::node("in"), Ref::node("out"));
  for (const std::string& callee : callees) {
    const std::string box = "call_" + callee;
    builder.box(box, callee);
    builder.transition(Ref::node("in"), Ref::box_node(box, "in"));
    builder.transition(Ref::box_node(box, "out"), Ref::node("out"));
  }
}

TEST(CallGraph, FindsCyclesOfCalls) {
  ModelBuilder builder("test");
  add_caller(builder, "main", {"a", "d"});
  add_caller(builder, "a", {"b"});
  add_caller(builder, "b", {"c", "d"});
  add_caller(builder, "c", {"a"});
  add_caller(builder, "d", {});
  builder.initial_component("main");
  const CallGraph calls = inspect_call_graph(builder.finish());
  EXPECT_EQ(calls.strong_components, 3U);  // main, {a, b, c}, d
  EXPECT_EQ(calls.largest, 3U);
  EXPECT_TRUE(calls.recursive);
  EXPECT_TRUE(calls.unreachable.empty());
}

TEST(CallGraph, ASharedCalleeIsNoRecursion) {
  ModelBuilder builder("test");
  add_caller(builder, "main", {"a", "b"});
  add_caller(builder, "a", {"c"});
  add_caller(builder, "b", {"c"});
  add_caller(builder, "c", {});
  builder.initial_component("main");
  const CallGraph calls = inspect_call_graph(builder.finish());
  EXPECT_EQ(calls.strong_components, 4U);
  EXPECT_EQ(calls.largest, 1U);
  EXPECT_FALSE(calls.recursive);
}

TEST(CallGraph, ACallOfItselfIsRecursion) {
  ModelBuilder builder("test");
  add_caller(builder, "main", {"main"});
  builder.initial_component("main");
  const CallGraph calls = inspect_call_graph(builder.finish());
  EXPECT_EQ(calls.largest, 1U);
  EXPECT_TRUE(calls.recursive);
}

TEST(CallGraph, ListsUnreachableComponents) {
  ModelBuilder builder("test");
  add_caller(builder, "lost", {"main"});
  add_caller(builder, "main", {});
  add_caller(builder, "also_lost", {"lost"});
  builder.initial_component("main");
  const Rsm model = builder.finish();
  const CallGraph calls = inspect_call_graph(model);
  ASSERT_EQ(calls.unreachable.size(), 2U);
  EXPECT_EQ(model.component_name(calls.unreachable[0]), "lost");
  EXPECT_EQ(model.component_name(calls.unreachable[1]), "also_lost");
}

TEST(CallGraph, LongChainsNeedNoDeepStack) {
  constexpr int kLength = 200000;
  ModelBuilder builder("test");
  for (int i = 0; i < kLength; ++i) {
    add_caller(builder, "p" + std::to_string(i), {"p" + std::to_string((i + 1) % kLength)});
  }
  builder.initial_component("p0");
  const CallGraph calls = inspect_call_graph(builder.finish());
  EXPECT_EQ(calls.strong_components, 1U);
  EXPECT_EQ(calls.largest, std::size_t{kLength});
}

TEST(Oddities, AnOrdinaryModelHasNone) {
  ModelBuilder builder("test");
  add_caller(builder, "main", {"a"});
  add_caller(builder, "a", {});
  builder.initial_component("main");
  const Oddities odd = find_oddities(builder.finish());
  EXPECT_EQ(odd.dead_ends.count, 0U);
  EXPECT_EQ(odd.entry_exits.count, 0U);
  EXPECT_EQ(odd.transitions_into_entries.count, 0U);
  EXPECT_EQ(odd.exits_going_on.count, 0U);
  EXPECT_EQ(odd.boxes_missing_returns, 0U);
}

TEST(Oddities, CountsEachKindAndNamesTheFirst) {
  ModelBuilder builder("test");
  builder.component("main");
  add_node(builder, "in", true);
  add_node(builder, "dead");
  add_node(builder, "out", false, true);
  builder.box("call", "two");
  builder.box("nothing", "empty");
  builder.transition(Ref::node("in"), Ref::box_node("call", "in"));
  builder.transition(Ref::node("in"), Ref::node("dead"));
  builder.transition(Ref::box_node("call", "left"), Ref::node("in"));  // right leads nowhere
  builder.transition(Ref::node("in"), Ref::box_node("nothing", "only"));
  builder.transition(Ref::box_node("nothing", "only"), Ref::node("out"));
  builder.component("two");
  add_node(builder, "in", true);
  add_node(builder, "left", false, true);
  add_node(builder, "right", false, true);
  builder.transition(Ref::node("in"), Ref::node("left"));
  builder.transition(Ref::node("in"), Ref::node("right"));
  builder.transition(Ref::node("left"), Ref::node("in"));
  builder.component("empty");
  add_node(builder, "only", true, true);
  builder.initial_component("main");
  const Rsm model = builder.finish();
  const Oddities odd = find_oddities(model);

  EXPECT_EQ(odd.dead_ends.count, 2U);  // `dead`, and the return from `right`
  EXPECT_EQ(model.describe(odd.dead_ends.first), "main.dead");
  EXPECT_EQ(odd.entry_exits.count, 1U);
  EXPECT_EQ(model.describe(odd.entry_exits.first), "empty.only");
  EXPECT_EQ(odd.transitions_into_entries.count, 2U);
  EXPECT_EQ(model.describe(odd.transitions_into_entries.first), "main.call.left");
  EXPECT_EQ(odd.exits_going_on.count, 1U);
  EXPECT_EQ(model.describe(odd.exits_going_on.first), "two.left");
  EXPECT_EQ(odd.boxes_missing_returns, 1U);
  EXPECT_EQ(model.box_name(odd.first_box_missing_returns), "call");
  EXPECT_EQ(max_exits(model), 2U);
  EXPECT_EQ(max_entries(model), 1U);
}

}  // namespace
}  // namespace nestor::model
