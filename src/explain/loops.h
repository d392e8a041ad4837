#pragma once

#include "base/bit_set.h"
#include "explain/distances.h"
#include "explain/instance_graph.h"

#include <cstdint>
#include <vector>

namespace nestor {

/// Where runs through `allowed` states can go round: the plain and call nodes of all instances as
/// one graph, in which a call is entered for good (the stack grows) or passed over by a way through
/// the callee. A node from which that graph leads back to itself begins a loop under every stack.
class Loops {
 public:
  /// One edge of a loop.
  struct Edge {
    static constexpr std::uint32_t kNoExit = 0xFFFFFFFF;
    std::uint32_t instance = 0;         ///< where it leads
    NodeId node;                        ///< likewise; plain or call node
    std::uint32_t passes_by = kNoExit;  ///< over a call: place of the exit among the wanted ones
    Distance cost = 0;
  };

  Loops(const InstanceGraph& graph, const BitSet& allowed, const ExitDistances& exits,
        LimitGuard& guard);

  bool contains(std::uint32_t instance, NodeId n) const {
    return on_loop_.test(graph_.row(instance, n));
  }
  /// A shortest loop from a node on one, back to it.
  std::vector<Edge> shortest(std::uint32_t instance, NodeId n, LimitGuard& guard) const;

 private:
  class Search;

  std::vector<Edge> edges(std::uint32_t instance, NodeId n) const;
  bool is_allowed(std::uint32_t instance, NodeId n) const;

  const InstanceGraph& graph_;
  const BitSet& allowed_;
  const ExitDistances& exits_;
  BitSet on_loop_;                     // by row
  std::vector<std::uint32_t> number_;  // by row: of its strongly connected component; 0 if none
};

}  // namespace nestor
