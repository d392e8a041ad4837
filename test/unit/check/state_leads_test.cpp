#include "check/state_leads.h"

#include "model/builder.h"

#include <gtest/gtest.h>

namespace nestor::check {
namespace {

using Ref = model::ModelBuilder::Ref;

/// `main` calls `f`, and `f` either calls itself or leaves.
model::Rsm example() {
  model::ModelBuilder builder("test");
  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.box("c", "f");
  builder.transition(Ref::node("start"), Ref::box_node("c", "in"));
  builder.component("f");
  builder.node({.name = "in", .is_entry = true});
  builder.node({.name = "out", .is_exit = true});
  builder.box("d", "f");
  builder.transition(Ref::node("in"), Ref::box_node("d", "in"));
  builder.transition(Ref::node("in"), Ref::node("out"));
  builder.initial_component("main");
  return builder.finish();
}

// The only way through the added nodes makes the calls of the stack and comes to the state.
TEST(StateLeads, LeadToAStateWithItsStack) {
  const model::Rsm machine = example();
  model::StackTable stacks;
  const model::ComponentId f = machine.box(model::BoxId(0)).callee;
  const model::StackId deep =
      stacks.push(stacks.push(model::StackTable::kEmpty, model::BoxId(0)), model::BoxId(1));
  StateLeads leads(machine, stacks);
  leads.lead_marked(leads.at(deep), deep, machine.exits(f).front());
  const model::Rsm leading = leads.build();
  ASSERT_EQ(leading.initial_nodes().size(), 1U);
  model::StackTable found;
  model::State at{model::StackTable::kEmpty, leading.initial_nodes().front()};
  for (std::size_t step = 0; step < 4; ++step) {
    const model::PropId mark = leading.find_prop(leads.mark());
    ASSERT_TRUE(mark.valid());
    EXPECT_EQ(leading.nodes_with(mark).front() == at.node, step == 3);
    const std::vector<model::Move> next = moves(leading, found, at);
    ASSERT_EQ(next.size(), 1U);
    at = next.front().to;
  }
  EXPECT_EQ(leading.node_name(at.node), "out");
  const std::vector<model::BoxId> boxes = found.boxes(at.stack);
  ASSERT_EQ(boxes.size(), 2U);
  EXPECT_EQ(leading.box_name(boxes[0]), "c");
  EXPECT_EQ(leading.box_name(boxes[1]), "d");
}

}  // namespace
}  // namespace nestor::check
