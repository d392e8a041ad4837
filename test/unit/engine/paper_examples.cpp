#include "paper_examples.h"

#include "model/builder.h"

#include <fmt/format.h>

#include <string>

namespace nestor::engine {

using Ref = model::ModelBuilder::Ref;

// [DWF24] C. Dubslaff, P. Wienhöft, A. Fehnker: Lazy model checking for recursive state machines,
// figure 3: two components over three colours, here white (○), grey and black (printed alike as ●).
//
//   part                             fixed by
//   n1 → (b1,n1), n1 → (b2,n3)       Example 3: "a choice between again entering A1 or entering A2"
//   n3 → n6                          Example 3: "we have to leave A2 directly after one step"
//   (b2,n6) → n2, n2 → (b2,n3)       Example 3: "a choice to re-entering A2 after visiting n2"
//   (b2,n6) → n4, not n2 → n4        Example 3: "not entering A2 again leads to n4"; Example 8: EF
//                                    black is known at (b2,n6) but not at n2
//   (b1,n5) → n4, (b1,n4) → n5       Example 3, literally
//   n1 grey                          Example 3: EG of its colour holds by descending for ever;
//                                    Example 12: (b1,n1) has the goal's colour, the cycle has not
//   n4 black, no other               Examples 4, 7, 8, 9
//   n2, n3, n5, n6 white             Example 6: EG white can hold at exactly these; Example 10
model::Rsm figure_3() {
  model::ModelBuilder builder("figure 3");
  const auto node = [&builder](model::ModelBuilder::Node n, std::string_view colour) {
    builder.node(n);
    builder.label(colour);
  };
  builder.component("A1");
  node({.name = "n1", .is_entry = true}, "grey");
  node({.name = "n2"}, "white");
  node({.name = "n4", .is_exit = true}, "black");
  node({.name = "n5", .is_exit = true}, "white");
  builder.box("b1", "A1");
  builder.box("b2", "A2");
  builder.transition(Ref::node("n1"), Ref::box_node("b1", "n1"));
  builder.transition(Ref::node("n1"), Ref::box_node("b2", "n3"));
  builder.transition(Ref::node("n2"), Ref::box_node("b2", "n3"));
  builder.transition(Ref::box_node("b1", "n4"), Ref::node("n5"));
  builder.transition(Ref::box_node("b1", "n5"), Ref::node("n4"));
  builder.transition(Ref::box_node("b2", "n6"), Ref::node("n2"));
  builder.transition(Ref::box_node("b2", "n6"), Ref::node("n4"));
  builder.component("A2");
  node({.name = "n3", .is_entry = true}, "white");
  node({.name = "n6", .is_exit = true}, "white");
  builder.transition(Ref::node("n3"), Ref::node("n6"));
  builder.initial_component("A1");
  return builder.finish();
}

// Figure 1 with Example 2: main calls a and b; "after squaring i in line 10, the new value of i is
// not used": def_i at b_23_6, then b_24_7 and main_14_3, "both not labeled with use_i". The
// procedure a is empty, so its only node is entry and exit.
model::Rsm figure_1() {
  model::ModelBuilder builder("figure 1");
  builder.component("main");
  builder.node({.name = "main_11_0", .is_entry = true});
  builder.label("def_i");
  builder.node({.name = "main_12_1"});
  builder.node({.name = "main_14_3", .is_exit = true});
  builder.box("call_a", "a");
  builder.box("call_b", "b");
  builder.transition(Ref::node("main_11_0"), Ref::node("main_12_1"));
  builder.transition(Ref::node("main_12_1"), Ref::box_node("call_a", "a_19_4"));
  builder.transition(Ref::box_node("call_a", "a_19_4"), Ref::box_node("call_b", "b_23_5"));
  builder.transition(Ref::box_node("call_b", "b_24_7"), Ref::node("main_14_3"));
  builder.component("a");
  builder.node({.name = "a_19_4", .is_entry = true, .is_exit = true});
  builder.component("b");
  builder.node({.name = "b_23_5", .is_entry = true});
  builder.label("use_i");
  builder.node({.name = "b_23_6"});
  builder.label("def_i");
  builder.node({.name = "b_24_7", .is_exit = true});
  builder.transition(Ref::node("b_23_5"), Ref::node("b_23_6"));
  builder.transition(Ref::node("b_23_6"), Ref::node("b_24_7"));
  builder.initial_component("main");
  return builder.finish();
}

model::NodeId find_node(const model::Rsm& model, std::string_view name) {
  for (const model::NodeId n : model.nodes()) {
    std::string here(model.node_name(n));
    if (model.kind(n) != model::NodeKind::Plain) {
      here = fmt::format("{}.{}", model.box_name(model.box_of(n)), here);
    }
    if (here == name) {
      return n;
    }
  }
  return model::NodeId();
}

}  // namespace nestor::engine
