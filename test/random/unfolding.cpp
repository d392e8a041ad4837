#include "unfolding.h"

#include "bounded_graph.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace nestor::test {

namespace {

/// A call node is the callee's entry and a return node the callee's exit, so plain nodes suffice.
struct State {
  std::vector<BoxId> stack;
  NodeId node;

  friend auto operator<=>(const State&, const State&) = default;
};

State enter(std::vector<BoxId> stack, const Rsm& model, NodeId target) {
  if (model.kind(target) == NodeKind::Call) {
    stack.push_back(model.box_of(target));
  }
  return {std::move(stack), model.origin(target)};
}

std::vector<State> successors_of(const Rsm& model, const State& state) {
  std::vector<State> found;
  for (const NodeId m : model.successors(state.node)) {
    found.push_back(enter(state.stack, model, m));
  }
  if (model.is_exit(state.node)) {
    if (state.stack.empty()) {
      found.push_back(state);
    } else {
      std::vector<BoxId> below = state.stack;
      const Box& box = model.box(below.back());
      below.pop_back();
      for (const NodeId m : model.successors(box.first_return + model.exit_index(state.node))) {
        found.push_back(enter(below, model, m));
      }
    }
  }
  return found;
}

}  // namespace

Verdict check_by_unfolding(const Rsm& model, const FormulaPool& pool, FormulaId formula,
                           std::size_t most_states) {
  std::vector<State> initial;
  for (const NodeId n : model.initial_nodes()) {
    initial.push_back({{}, n});
  }
  const Explored<State> unfolding = explore(
      initial, [&model](const State& state) { return successors_of(model, state); }, most_states);
  return check_graph(
      unfolding.graph, pool, formula, [&](std::size_t state, std::string_view proposition) {
        const PropId p = model.find_prop(proposition);
        if (!p.valid()) {
          return false;
        }
        const auto nodes = model.nodes_with(p);
        return std::find(nodes.begin(), nodes.end(), unfolding.states[state].node) != nodes.end();
      });
}

}  // namespace nestor::test
