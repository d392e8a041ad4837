#include "counter_model.h"

#include "model/builder.h"

#include <fmt/format.h>

namespace nestor::engine {

using Ref = model::ModelBuilder::Ref;

model::Rsm counter(std::size_t exits, std::size_t idle) {
  model::ModelBuilder builder("");
  builder.component("f");
  builder.node({.name = "in", .is_entry = true});
  const auto exit_node = [&](std::size_t i) { return fmt::format("x{}", i % exits); };
  for (std::size_t i = 0; i < exits; ++i) {
    builder.node({.name = exit_node(i), .is_exit = true});
    builder.transition(Ref::node("in"), Ref::node(exit_node(i)));
  }
  for (std::size_t i = 0; i < idle; ++i) {
    const std::string name = fmt::format("idle{}", i);
    builder.node({.name = name});
    builder.transition(Ref::node(name), Ref::node(name));
  }
  for (const char* box : {"shift", "add1", "add2"}) {
    builder.box(box, "f");
    builder.transition(Ref::node("in"), Ref::box_node(box, "in"));
    for (std::size_t i = 0; i < exits; ++i) {
      const bool shift = box[0] == 's';
      builder.transition(Ref::box_node(box, exit_node(i)), Ref::node(exit_node(shift ? i + 1 : i)));
    }
  }
  builder.transition(Ref::box_node("add1", exit_node(0)), Ref::node(exit_node(1)));
  builder.transition(Ref::box_node("add2", exit_node(0)), Ref::node(exit_node(2)));
  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.node({.name = "good", .is_exit = true});
  builder.label("good");
  builder.node({.name = "bad", .is_exit = true});
  builder.box("b", "f");
  builder.transition(Ref::node("start"), Ref::box_node("b", "in"));
  for (std::size_t i = 0; i < exits; ++i) {
    builder.transition(Ref::box_node("b", exit_node(i)), Ref::node(i == 0 ? "good" : "bad"));
  }
  builder.initial_component("main");
  return builder.finish();
}

}  // namespace nestor::engine
