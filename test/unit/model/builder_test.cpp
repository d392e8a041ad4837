// The checks of the builder as any reader meets them. test/malformed has them with positions.

#include "sample.h"

#include <gtest/gtest.h>

#include <functional>

namespace nestor::model {
namespace {

using Pieces = std::function<void(ModelBuilder&)>;

/// A component `main` with entry `s` and exit `x`, a component `g` with entry `i`, inner node `m`
/// and exit `o`, and what `more` adds to `main`.
std::string refusal(const Pieces& more, DeadEnds dead_ends = DeadEnds::Keep) {
  ModelBuilder builder("m", [](base::Offset at) { return base::SourceLocation{"m", at, 0}; });
  try {
    builder.component("g", 1);
    builder.node({.name = "i", .is_entry = true}, 2);
    builder.node({.name = "m"}, 3);
    builder.node({.name = "o", .is_exit = true}, 4);
    builder.transition(Ref::node("i"), Ref::node("m"));
    builder.transition(Ref::node("m"), Ref::node("o"));
    builder.component("main", 5);
    builder.node({.name = "s", .is_entry = true}, 6);
    builder.node({.name = "x", .is_exit = true}, 7);
    builder.transition(Ref::node("s"), Ref::node("x"));
    more(builder);
    builder.finish(dead_ends);
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::Error::Kind::Input);
    return error.what();
  }
  return {};
}

std::string main_refusal(const Pieces& more, DeadEnds dead_ends = DeadEnds::Keep) {
  return refusal(
      [&](ModelBuilder& builder) {
        builder.initial_component("main", 90);
        more(builder);
      },
      dead_ends);
}

TEST(Builder, AcceptsTheFrame) {
  EXPECT_EQ(main_refusal([](ModelBuilder&) {}, DeadEnds::Error), "");
}

TEST(Builder, InitialComponent) {
  EXPECT_NE(refusal([](ModelBuilder&) {}).find("no initial component"), std::string::npos);
  EXPECT_EQ(refusal([](ModelBuilder& b) { b.initial_component("h", 8); }),
            "m:8: error: unknown initial component 'h'");
}

TEST(Builder, InitialNodes) {
  EXPECT_EQ(main_refusal([](ModelBuilder& b) { b.initial_node("m", 8); }),
            "m:8: error: unknown initial node 'm' in component 'main'");
  EXPECT_EQ(main_refusal([](ModelBuilder& b) {
              b.initial_node("x", 8);
              b.initial_node("s", 9);
              b.initial_node("x", 10);
            }),
            "m:10: error: duplicate initial node 'x'");
  EXPECT_EQ(refusal([](ModelBuilder& b) {
              b.component("h", 8);
              b.node({.name = "s"});
              b.initial_component("h", 9);
            }),
            "m:9: error: no initial node is named and component 'h' has no entry");
}

TEST(Builder, InitialNodeWhoseNameALaterComponentUses) {
  ModelBuilder builder("m");
  builder.component("main");
  builder.node({.name = "a"});
  builder.node({.name = "b"});
  builder.component("other");
  builder.node({.name = "b"});
  builder.node({.name = "a"});
  builder.initial_component("main");
  builder.initial_node("b");
  builder.initial_node("a");
  const Rsm model = builder.finish();
  EXPECT_EQ(describe(model, model.initial_nodes()), (std::vector<std::string>{"main.b", "main.a"}));
}

TEST(Builder, Duplicates) {
  EXPECT_EQ(main_refusal([](ModelBuilder& b) { b.component("g", 8); }),
            "m:8: error: duplicate component 'g'");
  EXPECT_EQ(main_refusal([](ModelBuilder& b) { b.node({.name = "s"}, 8); }),
            "m:8: error: duplicate node 's' in component 'main'");
  EXPECT_EQ(main_refusal([](ModelBuilder& b) {
              b.box("b", "g", 8);
              b.box("b", "g", 9);
            }),
            "m:9: error: duplicate box 'b' in component 'main'");
}

TEST(Builder, Boxes) {
  EXPECT_EQ(main_refusal([](ModelBuilder& b) { b.box("b", "h", 8, 9); }),
            "m:9: error: box 'b' calls the unknown component 'h'");
  EXPECT_EQ(main_refusal([](ModelBuilder& b) {
              b.box("b", "g", 8);
              b.list_box_nodes();
            }),
            "m:8: error: box 'b' has no call nodes");
  EXPECT_EQ(main_refusal([](ModelBuilder& b) {
              b.box("b", "h", 8);
              b.component("h");
            }),
            "m:8: error: box 'b' has no call nodes");
  EXPECT_EQ(main_refusal([](ModelBuilder& b) {
              b.box("b", "g", 8);
              b.list_box_nodes();
              b.call_node("i", 9);
              b.call_node("o", 10);
            }),
            "m:10: error: call node 'o' of box 'b' is no entry of component 'g'");
  EXPECT_EQ(main_refusal([](ModelBuilder& b) {
              b.box("b", "g", 8);
              b.list_box_nodes();
              b.call_node("i", 9);
              b.return_node("s", 10);
            }),
            "m:10: error: return node 's' of box 'b' is no exit of component 'g'");
}

TEST(Builder, Transitions) {
  EXPECT_EQ(main_refusal([](ModelBuilder& b) { b.transition(Ref::node("m"), Ref::node("s"), 8); }),
            "m:8: error: unknown node 'm' in component 'main'");
  EXPECT_EQ(main_refusal([](ModelBuilder& b) { b.source(Ref::node("t"), 8); }),
            "m:8: error: unknown node 't' in component 'main'");
  const auto with_box = [](const Ref& from, const Ref& to) {
    return main_refusal([&](ModelBuilder& b) {
      b.box("b", "g", 8);
      b.transition(from, to, 9);
    });
  };
  EXPECT_EQ(with_box(Ref::node("s"), Ref::box_node("b", "i")), "");
  EXPECT_EQ(with_box(Ref::node("s"), Ref::box_node("s", "i")),
            "m:9: error: unknown box 's' in component 'main'");
  EXPECT_EQ(with_box(Ref::node("s"), Ref::box_node("b", "o")),
            "m:9: error: box 'b' has no call node 'o' for a transition to enter");
  EXPECT_EQ(with_box(Ref::box_node("b", "i"), Ref::node("s")),
            "m:9: error: box 'b' has no return node 'i' for a transition to leave");
}

TEST(Builder, OnlyListedBoxNodesHaveTransitions) {
  const auto listing = [](std::string_view call, const Ref& from, const Ref& to) {
    return main_refusal([&](ModelBuilder& b) {
      b.component("two");
      b.node({.name = "i", .is_entry = true});
      b.node({.name = "j", .is_entry = true});
      b.node({.name = "o", .is_exit = true});
      b.component("user");
      b.node({.name = "n"});
      b.box("all", "two");
      b.box("b", "two");
      b.list_box_nodes();
      b.call_node(call);
      b.transition(Ref::node("n"), Ref::box_node("all", "i"));
      b.transition(Ref::node("n"), Ref::box_node("all", "j"));
      b.transition(from, to, 9);
    });
  };
  EXPECT_EQ(listing("i", Ref::node("n"), Ref::box_node("b", "i")), "");
  EXPECT_EQ(listing("i", Ref::node("n"), Ref::box_node("b", "j")),
            "m:9: error: box 'b' has no call node 'j' for a transition to enter");
  EXPECT_EQ(listing("j", Ref::node("n"), Ref::box_node("b", "j")), "");
  EXPECT_EQ(listing("i", Ref::box_node("b", "o"), Ref::node("n")),
            "m:9: error: box 'b' has no return node 'o' for a transition to leave");
  EXPECT_EQ(listing("i", Ref::box_node("all", "o"), Ref::node("n")), "");
}

TEST(Builder, SourceWithoutTargetsMayBeACallNode) {
  EXPECT_EQ(main_refusal([](ModelBuilder& b) {
              b.box("b", "g");
              b.source(Ref::box_node("b", "i"));
              b.source(Ref::box_node("b", "anything"));
            }),
            "");
}

TEST(Builder, RefusesDeadEndsIfTold) {
  EXPECT_EQ(main_refusal([](ModelBuilder& b) { b.node({.name = "d"}, 8); }, DeadEnds::Error),
            "m:8: error: 'main.d' has no successors");
  EXPECT_EQ(main_refusal([](ModelBuilder& b) { b.box("b", "g", 8); }, DeadEnds::Error),
            "m:8: error: 'main.b.o' has no successors");
  EXPECT_EQ(main_refusal([](ModelBuilder& b) { b.node({.name = "d"}, 8); }, DeadEnds::Keep), "");
}

TEST(Builder, NameMayComeAfterThePieces) {
  ModelBuilder builder("m");
  builder.initial_component("late");
  builder.component("?");
  builder.transition(Ref::node("a"), Ref::node("b"));
  builder.node({.name = "a", .is_entry = true});
  builder.node({.name = "b"});
  builder.rename_component("late");
  const Rsm model = builder.finish();
  EXPECT_EQ(describe(model, model.successors(NodeId(0))), (std::vector<std::string>{"late.b"}));
}

}  // namespace
}  // namespace nestor::model
