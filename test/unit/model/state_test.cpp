#include "model/state.h"

#include "model/builder.h"

#include <gtest/gtest.h>

namespace nestor::model {
namespace {

using Ref = ModelBuilder::Ref;

/// The example of docs/semantics.md: `main` calls `f`, and `f` either calls itself or leaves.
Rsm example() {
  ModelBuilder builder("test");
  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.node({.name = "end", .is_exit = true});
  builder.box("c", "f");
  builder.transition(Ref::node("start"), Ref::box_node("c", "in"));
  builder.transition(Ref::box_node("c", "out"), Ref::node("end"));
  builder.component("f");
  builder.node({.name = "in", .is_entry = true});
  builder.node({.name = "out", .is_exit = true});
  builder.box("d", "f");
  builder.transition(Ref::node("in"), Ref::box_node("d", "in"));
  builder.transition(Ref::node("in"), Ref::node("out"));
  builder.transition(Ref::box_node("d", "out"), Ref::node("out"));
  builder.initial_component("main");
  builder.initial_node("start");
  return builder.finish();
}

std::string text(const Rsm& model, const StackTable& stacks, const State& state) {
  std::string found;
  for (const BoxId b : stacks.boxes(state.stack)) {
    found += std::string(model.box_name(b)) + " ";
  }
  return found + std::string(model.node_name(state.node));
}

TEST(State, StepsAreThoseOfTheSemantics) {
  const Rsm model = example();
  StackTable stacks;
  State at{StackTable::kEmpty, model.initial_nodes().front()};
  struct Expected {
    Step step;
    const char* to;
    std::size_t choices;
  };
  for (const Expected& expected :
       {Expected{Step::Call, "c in", 1}, Expected{Step::Call, "c d in", 2},
        Expected{Step::Local, "c d out", 2}, Expected{Step::Return, "c out", 1},
        Expected{Step::Return, "end", 1}, Expected{Step::Stay, "end", 1}}) {
    const std::vector<Move> found = moves(model, stacks, at);
    ASSERT_EQ(found.size(), expected.choices);
    const Move& move = expected.step == Step::Local ? found.back() : found.front();
    EXPECT_EQ(move.step, expected.step);
    EXPECT_EQ(text(model, stacks, move.to), expected.to);
    at = move.to;
  }
}

}  // namespace
}  // namespace nestor::model
