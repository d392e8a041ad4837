// Builds a recursive program in memory, checks formulas that are built as well, proves a verdict
// and has the proof verified.

#include <iostream>
#include <nestor/nestor.h>

namespace {

// walk() calls itself for each child of a tree, or comes back at once.
nestor::Model tree_walk() {
  nestor::ModelBuilder builder("tree");
  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.node({.name = "end", .is_exit = true, .labels = {"done"}});
  builder.box("first", "walk");
  builder.transition("start", {"first", "enter"});
  builder.transition({"first", "leave"}, "end");
  builder.component("walk");
  builder.node({.name = "enter", .is_entry = true, .labels = {"visit"}});
  builder.node({.name = "leave", .is_exit = true});
  builder.box("child", "walk");
  builder.transition("enter", "leave");
  builder.transition("enter", {"child", "enter"});
  builder.transition({"child", "leave"}, "leave");
  builder.initial_component("main");
  return builder.finish();
}

}  // namespace

int main() {
  const nestor::Model model = tree_walk();
  const nestor::Formula done = nestor::Formula::atom("done");
  nestor::Session session(model);
  const std::size_t possible = session.ask(nestor::Formula::unary("EF", done));
  const std::size_t certain = session.ask(nestor::Formula::unary("AF", done));
  for (const std::size_t question : {possible, certain}) {
    std::cout << to_string(session.verdict(question).verdict) << ' '
              << session.formula(question).text() << '\n';
  }
  if (const auto witness = session.witness(certain)) {
    std::cout << witness->text();
  }
  const auto proof = session.certificate(possible);
  if (!proof || !nestor::verify(model, {.text = *proof}).accepted) {
    return 1;
  }
  std::cout << "the proof is accepted\n";
}
