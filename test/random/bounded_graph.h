#pragma once

#include "engine/engine.h"
#include "logic/formula.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string_view>
#include <vector>

namespace nestor::test {

/// The states of an infinite transition system up to a number of them, those beyond unknown.
struct BoundedGraph {
  std::vector<std::vector<std::size_t>> successors;
  std::vector<bool> unknown;  // not expanded: anything may follow
  std::size_t initial = 0;    // states 0, …, initial - 1
};

template <class State>
struct Explored {
  std::vector<State> states;
  BoundedGraph graph;
};

/// Breadth first from the initial states; `successors_of` gives a vector of states.
template <class State, class Successors>
Explored<State> explore(const std::vector<State>& initial, Successors successors_of,
                        std::size_t most_states) {
  Explored<State> result;
  std::map<State, std::size_t> number;
  const auto number_of = [&](const State& state) {
    const auto [place, is_new] = number.try_emplace(state, result.states.size());
    if (is_new) {
      result.states.push_back(state);
    }
    return place->second;
  };
  for (const State& state : initial) {
    number_of(state);
  }
  result.graph.initial = result.states.size();
  for (std::size_t s = 0; s < result.states.size(); ++s) {
    const bool expand = s < most_states;
    result.graph.unknown.push_back(!expand);
    result.graph.successors.emplace_back();
    if (expand) {
      for (const State& next : successors_of(State(result.states[s]))) {
        const std::size_t t = number_of(next);
        result.graph.successors[s].push_back(t);
      }
    }
  }
  return result;
}

/// Labels the graph bottom-up with a lower and an upper bound for each subformula. `formula` is in
/// existential normal form. Unknown if the bounds differ where it matters.
engine::Verdict check_graph(
    const BoundedGraph& graph, const logic::FormulaPool& pool, logic::FormulaId formula,
    const std::function<bool(std::size_t state, std::string_view prop)>& carries);

}  // namespace nestor::test
