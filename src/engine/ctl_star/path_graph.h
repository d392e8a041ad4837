#pragma once

#include "base/limits.h"
#include "engine/ctl_star/path_automaton.h"
#include "explain/instance_graph.h"

#include <cstdint>
#include <vector>

namespace nestor::engine::ctl_star {

/// The nodes and return points of instances together with the states of a certificate's automaton,
/// as far as some of them lead (docs/certificates.md): what is found while it grows is what a proof
/// says. A call is entered, and passed by each way that leads through it; nothing is left out
/// because it makes no difference for a verdict.
class PathGraph {
 public:
  using Vertex = std::uint32_t;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  /// In place of a set: none in particular.
  static constexpr std::uint32_t kAny = kNone;

  /// A way to leave the frame.
  struct Exit {
    std::uint32_t exit = 0;   ///< index among the component's exits
    std::uint32_t state = 0;  ///< in which the exit's letter is to be read

    friend auto operator<=>(const Exit&, const Exit&) = default;
  };
  struct Edge {
    enum class Kind : std::uint8_t { Step, Stay, Enter, Pass };
    Kind kind = Kind::Step;
    Vertex to = 0;                 ///< of Enter the callee's entry, of Pass a return point
    std::uint32_t marks = 0;       ///< of Pass: of all ways through the callee, too
    std::uint32_t choice = 0;      ///< the successor's position; none if it stays
    std::uint32_t transition = 0;  ///< of the automaton, its place among those of the state
    // Of Pass:
    Vertex entry = 0;
    Exit through{};
    std::uint32_t own_marks = 0;  ///< of the step alone
  };
  /// Why something is so: by an edge, and what was known before. Ranks grow as things are found.
  struct Fact {
    std::uint32_t set = kAny;  ///< with this set on the way
    std::uint32_t rank = 0;
    std::uint32_t edge = kNone;  ///< of the vertex; none: at once
    bool by_callee = false;      ///< of Pass: the set is met inside of the callee
    bool arrives = false;        ///< towards what is good: the edge leads there
  };
  struct Way {
    Exit exit;
    std::uint32_t marks = 0;
    std::vector<Fact> facts;  ///< the first one for any set
  };
  struct Item {
    std::uint32_t instance = 0;
    model::NodeId node;  ///< plain, or a return node
    std::uint32_t state = 0;
    std::vector<Edge> edges;
    std::vector<Way> ways;
    bool ends = false;          ///< a path may end here, accepted
    bool is_good = false;       ///< an accepted path leads on from here without leaving the frame
    bool shows_ways = false;    ///< its ways are told to all callers
    std::vector<Fact> to_good;  ///< one a set, if good
  };

  /// `letters`: by plain row, numbers of the automaton's. All arguments must outlive this.
  PathGraph(const explain::InstanceGraph& graph, PathAutomaton& automaton,
            const std::vector<std::uint32_t>& letters, base::LimitGuard& guard);

  /// Adds a vertex and all that it leads to.
  Vertex add(std::uint32_t instance, model::NodeId n, std::uint32_t state);
  /// Likewise, and the return points of its ways in all callers, whose ways are told on.
  Vertex add_with_callers(std::uint32_t instance, model::NodeId n, std::uint32_t state);
  /// When all is added: fills Item::is_good and Item::to_good, and the ranks below.
  void finish();

  std::size_t size() const { return items_.size(); }
  const Item& operator[](Vertex v) const { return items_[v]; }
  const explain::InstanceGraph& graph() const { return graph_; }
  const PathAutomaton& automaton() const { return automaton_; }
  /// kNone if it was not added.
  Vertex find(std::uint32_t instance, model::NodeId n, std::uint32_t state) const {
    return index_[place(instance, n, state)];
  }
  const Fact& fact(Vertex v, const Exit& exit, std::uint32_t set) const;
  /// Of what is not good: no edge leads to a larger rank; to an equal one only without set
  /// missing().
  std::uint32_t rank(Vertex v) const { return component_of_[v]; }
  std::uint32_t missing(Vertex v) const { return missing_[component_of_[v]]; }

 private:
  struct Incoming {
    Vertex from = 0;
    std::uint32_t edge = 0;
  };
  /// A way of the vertex is new or has more marks.
  struct Change {
    Vertex vertex = 0;
    Exit exit;
  };
  /// Callers of the instance go on after this exit.
  struct Told {
    std::uint32_t instance = 0;
    Exit exit;
  };

  std::size_t place(std::uint32_t instance, model::NodeId n, std::uint32_t state) const {
    return std::size_t{graph_.row(instance, n)} * automaton_.state_count() + state;
  }
  Vertex discover(std::uint32_t instance, model::NodeId n, std::uint32_t state);
  void explore();
  void expand(Vertex v);
  void add_edge(Vertex v, Edge edge);
  void add_way(Vertex v, const Exit& exit, std::uint32_t marks, std::uint32_t edge);
  void spread(const Change& change);
  void pass(Incoming call, const Exit& exit, std::uint32_t marks);
  void show_ways(Vertex v);
  void tell_callers(const Told& told);
  std::uint32_t letter_at(std::uint32_t instance, model::NodeId n) const;
  bool is_dead_end(model::NodeId n) const;
  void find_components();
  void find_facts();

  const explain::InstanceGraph& graph_;
  PathAutomaton& automaton_;
  const std::vector<std::uint32_t>& letters_;
  base::LimitGuard& guard_;
  std::vector<Vertex> index_;  // by place()
  std::vector<Item> items_;
  std::vector<std::vector<Incoming>> incoming_;
  std::vector<Vertex> new_;
  std::vector<Change> changes_;
  std::vector<Told> told_;
  std::uint32_t last_rank_ = 0;
  std::vector<std::uint32_t> component_of_;
  std::vector<std::uint32_t> missing_;  // by component
};

using PathKind = PathGraph::Edge::Kind;

}  // namespace nestor::engine::ctl_star
