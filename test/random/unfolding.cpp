#include "unfolding.h"

#include <algorithm>
#include <map>
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

struct Graph {
  std::vector<State> states;
  std::vector<std::vector<std::size_t>> successors;
  std::vector<bool> unknown;  // not expanded: anything may follow
};

Graph unfold(const Rsm& model, std::size_t most_states) {
  Graph graph;
  std::map<State, std::size_t> number;
  const auto number_of = [&](const State& state) {
    const auto [place, is_new] = number.try_emplace(state, graph.states.size());
    if (is_new) {
      graph.states.push_back(state);
    }
    return place->second;
  };
  for (const NodeId n : model.initial_nodes()) {
    number_of({{}, n});
  }
  for (std::size_t s = 0; s < graph.states.size(); ++s) {
    const bool expand = s < most_states;
    graph.unknown.push_back(!expand);
    graph.successors.emplace_back();
    if (expand) {
      for (const State& next : successors_of(model, graph.states[s])) {
        const std::size_t t = number_of(next);
        graph.successors[s].push_back(t);
      }
    }
  }
  return graph;
}

using Set = std::vector<bool>;

/// `upper`: unknown states count as satisfying every temporal formula; else as satisfying none.
Set label_temporal(const Graph& graph, Op op, const Set& left, const Set& right, bool upper) {
  const std::size_t size = graph.states.size();
  Set now(size, op == Op::EG);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t s = size; s-- > 0;) {
      const std::vector<std::size_t>& next = graph.successors[s];
      const Set& looked_at = op == Op::EX ? left : now;
      const bool some =
          std::any_of(next.begin(), next.end(), [&](std::size_t t) { return looked_at[t]; });
      bool value = upper;
      if (!graph.unknown[s]) {
        value = op == Op::EX   ? some
                : op == Op::EU ? right[s] || (left[s] && some)
                               : left[s] && (some || next.empty());
      }
      changed = changed || value != now[s];
      now[s] = value;
    }
  }
  return now;
}

}  // namespace

Verdict check_by_unfolding(const Rsm& model, const FormulaPool& pool, FormulaId formula,
                           std::size_t most_states) {
  const Graph graph = unfold(model, most_states);
  const std::size_t size = graph.states.size();
  std::map<FormulaId, Set> lower;
  std::map<FormulaId, Set> upper;
  for (const FormulaId f : subformulas(pool, formula)) {
    const Formula& part = pool[f];
    Set low(size);
    Set high(size);
    switch (part.op) {
      case Op::True:
        low.assign(size, true);
        high = low;
        break;
      case Op::Atom: {
        const PropId p = model.find_prop(pool.atom_name(f));
        for (std::size_t s = 0; p.valid() && s < size; ++s) {
          const auto nodes = model.nodes_with(p);
          low[s] = std::find(nodes.begin(), nodes.end(), graph.states[s].node) != nodes.end();
        }
        high = low;
        break;
      }
      case Op::Not:
        for (std::size_t s = 0; s < size; ++s) {
          low[s] = !upper[part.left][s];
          high[s] = !lower[part.left][s];
        }
        break;
      case Op::Or:
        for (std::size_t s = 0; s < size; ++s) {
          low[s] = lower[part.left][s] || lower[part.right][s];
          high[s] = upper[part.left][s] || upper[part.right][s];
        }
        break;
      default: {
        const bool binary = operand_count(part.op) == 2;
        low = label_temporal(graph, part.op, lower[part.left], binary ? lower[part.right] : Set(),
                             false);
        high = label_temporal(graph, part.op, upper[part.left], binary ? upper[part.right] : Set(),
                              true);
      }
    }
    lower[f] = std::move(low);
    upper[f] = std::move(high);
  }
  bool all = true;
  for (std::size_t s = 0; s < model.initial_nodes().size(); ++s) {
    if (!upper[formula][s]) {
      return Verdict::Fails;
    }
    all = all && lower[formula][s];
  }
  return all ? Verdict::Holds : Verdict::Unknown;
}

}  // namespace nestor::test
