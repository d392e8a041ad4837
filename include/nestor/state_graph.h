#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nestor/check.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nestor {

/// The states of a model one by one, for walking through them: what follows, what holds, and a path
/// that shows why. This is what `nestor probe` is made of. Paths end in states without successors,
/// whatever Settings::dead_ends says of them; models with fairness constraints have no values.
///
///     StateGraph graph(Model::read("model.rsm"));
///     StateGraph::State here = graph.initial().front();
///     while (graph.check(Formula::parse("EF done"), here).verdict == Verdict::Holds) {
///       std::cout << graph.describe(here) << '\n';
///       here = graph.successors(here).front();
///     }
///
/// Not for several threads at a time.
class NESTOR_API StateGraph {
 public:
  /// The calls that are open, outermost first, and a node. A call node is written as the entry it
  /// stands for, a return node as the exit (docs/semantics.md), so each state is written one way
  /// only. The numbers mean something to graphs of the same model alone.
  struct State {
    std::vector<std::uint32_t> calls;
    std::uint32_t node = 0;

    friend auto operator<=>(const State&, const State&) = default;
  };
  struct Path {
    std::vector<State> states;
    std::string says = {};  ///< what it shows, for people
  };
  /// A strongly connected component of the states that can be reached.
  struct StrongComponent {
    std::size_t size = 0;
    State first;
    bool is_left = false;  ///< a transition leads to another one
    bool is_loop = false;  ///< holds a cycle
  };

  /// Explores the model as Model::explore() does, unless it is explored. Throws Error, also if a
  /// limit is reached.
  explicit StateGraph(Model model, Settings settings = {});
  StateGraph(StateGraph&&) noexcept;
  StateGraph& operator=(StateGraph&&) noexcept;
  ~StateGraph();

  const Model& model() const;
  /// True if nothing is called: each state is a node. Else there may be infinitely many states.
  bool is_flat() const;

  // These throw Error (Usage) for what is no state of the model.
  std::vector<State> initial() const;
  std::vector<State> successors(const State& state) const;  ///< each once
  /// `main.call/f.inner/g.node`: the open calls, then the node.
  std::string describe(const State& state) const;
  std::vector<std::string> labels(const State& state) const;
  /// A part of it, named as in formulas: what lies in a place of a net. Nothing if there is none.
  std::optional<std::string> part(const State& state, std::string_view name) const;
  /// What happens between two states of a net, `try(i=1)`, and what that changes, `-p<1> +q<2>`.
  /// Empty if steps have no names.
  std::string step(const State& from, const State& to) const;
  std::string change(const State& from, const State& to) const;

  // These throw Error (Unsupported) unless the model is flat.
  std::vector<State> predecessors(const State& state) const;
  std::vector<State> reachable() const;  ///< breadth first
  std::vector<StrongComponent> strong_components() const;

  // Of states that can be reached. Values are found for all states together, the first time that a
  // formula is asked. They throw Error (Input) for an atom that makes no sense in the model.
  Result check(const Formula& formula, const State& state);
  /// To the nearest state that satisfies the formula; empty if none can be reached.
  Answer<Path> shortest_path(const State& from, const Formula& goal);
  /// A path that shows why the formula holds in a state, or why it does not; of one state where no
  /// single path can show it.
  Answer<Path> explain(const Formula& formula, const State& state);

  struct Impl;  ///< of the library

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace nestor
