#pragma once

#include "automata/automaton.h"
#include "base/limits.h"
#include "explain/instance_graph.h"
#include "model/fairness.h"

#include <cstdint>
#include <span>
#include <vector>

namespace nestor::engine::ctl_star {

/// The letter that an automaton reads in each state: by plain row of the instances.
struct Letters {
  std::vector<std::uint32_t> class_of;  ///< by plain row
  std::vector<std::uint64_t> classes;   ///< the letters that there are
};

/// The instances of a machine, each node together with each state of an automaton (docs/ltl.md). A
/// vertex is a node whose label the automaton has not read yet. Call nodes and return nodes are
/// vertices too: from a call node one edge enters the call for good, and one for each way to leave
/// it leads to a return node.
class Product {
 public:
  using Vertex = std::uint32_t;
  using Word = std::uint64_t;

  struct Edge {
    enum class Kind : std::uint8_t {
      Step,   ///< by a transition of the machine
      Stay,   ///< at an exit under the empty stack
      Enter,  ///< from a call node to the entry that it is
      Pass,   ///< from a call node to a return node
    };
    Kind kind = Kind::Step;
    Vertex to = 0;
    Word marks = 0;  ///< acceptance sets; fairness constraints from kFairness on
  };
  static constexpr int kFairness = 32;
  /// Where the iteration over the edges of a vertex is.
  struct Position {
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
  };

  /// An automaton of one acceptance set if the machine has boxes. All arguments must outlive this.
  Product(const explain::InstanceGraph& graph, const automata::Automaton& automaton,
          const Letters& letters, const model::Fairness* fairness, base::LimitGuard& guard);

  std::size_t size() const { return std::size_t{graph_.row_count()} * states_; }
  Vertex vertex(std::uint32_t instance, model::NodeId n, std::uint32_t state) const {
    return graph_.row(instance, n) * states_ + state;
  }
  std::uint32_t instance(Vertex v) const { return instance_of_[v / states_]; }
  model::NodeId node(Vertex v) const { return graph_.node(instance(v), v / states_); }
  std::uint32_t state(Vertex v) const { return v % states_; }
  std::uint32_t states() const { return states_; }
  const explain::InstanceGraph& graph() const { return graph_; }

  bool next_edge(Vertex v, Position& position, Edge& edge) const;
  /// True if a path may end at the vertex, accepted.
  bool may_end(Vertex v) const;
  /// What a loop needs to be accepted.
  Word all_marks() const;

  /// The ways to leave the frame of a vertex: bit `exit * states() + state` for an exit with the
  /// automaton in that state.
  std::span<const Word> exits(Vertex v) const;
  std::uint32_t exit_bits(std::uint32_t instance) const {
    return static_cast<std::uint32_t>(graph_.exits(instance).size()) * states_;
  }
  /// The same for an edge from a call vertex: those with an accepting transition on the way.
  std::span<const Word> accepting_exits(Vertex v) const;
  /// Calls visit(from, accepts) for each edge of kind Step that leads to the vertex.
  template <class Visit>
  void for_each_step_to(Vertex v, Visit visit) const {
    const std::uint32_t i = instance(v);
    for (const model::NodeId p : graph_.model().predecessors(node(v))) {
      for (const Read& read : reads(first_backward_, backward_, class_at(i, p), state(v))) {
        visit(vertex(i, p, read.state), read.marks != 0);
      }
    }
  }

 private:
  struct Read {
    std::uint32_t state = 0;  // where the automaton goes, or comes from
    std::uint32_t marks = 0;
  };

  std::uint32_t class_at(std::uint32_t instance, model::NodeId n) const;
  std::span<const Read> reads(const std::vector<std::uint32_t>& first, const std::vector<Read>& all,
                              std::uint32_t letter, std::uint32_t state) const {
    const std::size_t i = std::size_t{letter} * states_ + state;
    return {all.data() + first[i], all.data() + first[i + 1]};
  }
  void tabulate();
  void find_exits(base::LimitGuard& guard);
  std::span<Word> set_of(Vertex v);
  std::uint32_t words(std::uint32_t instance) const { return (exit_bits(instance) + 63) / 64; }
  bool add(Vertex to, std::span<const Word> set, bool accepting);
  void pass(Vertex call, std::vector<Vertex>& open);
  void spread(Vertex v, std::vector<Vertex>& open);
  bool next_pass(Vertex v, Position& position, Edge& edge) const;

  const explain::InstanceGraph& graph_;
  const automata::Automaton& automaton_;
  const Letters& letters_;
  const model::Fairness* fairness_;  // null: none
  std::uint32_t states_;
  std::vector<std::uint32_t> instance_of_;  // by row
  std::vector<std::uint32_t> first_forward_;
  std::vector<Read> forward_;
  std::vector<std::uint32_t> first_backward_;
  std::vector<Read> backward_;
  std::vector<bool> ends_;                   // by letter class and state
  std::vector<std::size_t> first_set_;       // by instance
  std::vector<std::uint32_t> first_vertex_;  // by instance
  std::vector<Word> sets_;  // by vertex: all exits, then those with an accepting way
};

}  // namespace nestor::engine::ctl_star
