#pragma once

#include "base/bit_set.h"
#include "explain/distances.h"

#include <cstdint>
#include <vector>

namespace nestor::explain {

/// Where runs through `allowed` states can go round: the nodes of all instances as one graph, in
/// which a call is entered for good (the stack grows) or passed, by a way through the callee to its
/// return node. A node from which that graph leads back to itself begins a loop under every stack.
class Loops {
 public:
  enum class EdgeKind : std::uint8_t {
    Transition,  ///< from a plain or return node, one step
    Enter,       ///< from a call node to the entry that it is
    Pass,        ///< from a call node to a return node
  };
  struct Edge {
    EdgeKind kind = EdgeKind::Transition;
    std::uint32_t row = 0;   ///< where it leads
    model::NodeId node;      ///< likewise
    std::uint32_t exit = 0;  ///< of Pass: its place among the anchors of `exits`
    Distance cost = 0;
  };

  /// `exits`: distances to exits.
  Loops(const InstanceGraph& graph, const base::BitSet& allowed, const MatchedDistances& exits,
        base::LimitGuard& guard);

  bool contains(std::uint32_t instance, model::NodeId n) const {
    return on_loop_.test(graph_.row(instance, n));
  }
  /// A shortest loop from a node on one, back to it.
  std::vector<Edge> shortest(std::uint32_t instance, model::NodeId n,
                             base::LimitGuard& guard) const;

 private:
  bool next_edge(std::uint32_t row, std::uint32_t& position, Edge& edge) const;

  const InstanceGraph& graph_;
  const base::BitSet& allowed_;
  const MatchedDistances& exits_;
  std::vector<std::uint32_t> instance_of_;  // by row
  base::BitSet on_loop_;                    // by row
  std::vector<std::uint32_t> component_;    // by row: its strongly connected component, if any
};

}  // namespace nestor::explain
