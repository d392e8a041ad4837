#pragma once

#include "model/rsm.h"

#include <cstddef>
#include <vector>

namespace nestor::model {

/// The nodes of one kind: how many, and the first of them for a message.
struct NodeCount {
  std::size_t count = 0;
  NodeId first;  ///< not valid if there is none

  void add(NodeId node) {
    if (count++ == 0) {
      first = node;
    }
  }
};

/// Components as nodes, boxes as edges.
struct CallGraph {
  std::size_t strong_components = 0;
  std::size_t largest = 0;               ///< components in the largest strongly connected component
  bool recursive = false;                ///< some component calls itself, directly or not
  std::vector<ComponentId> unreachable;  ///< from the initial component, in the order of the file
};

/// What is legal but may be a mistake.
struct Oddities {
  NodeCount dead_ends;                 ///< Rsm::is_dead_end
  NodeCount entry_exits;               ///< entry and exit at once: empty procedures
  NodeCount transitions_into_entries;  ///< counts transitions; `first` is the source of the first
  NodeCount exits_going_on;            ///< exits with local successors
  std::size_t boxes_missing_returns = 0;  ///< some return node has no successors and stops there
  BoxId first_box_missing_returns;
};

/// All of these take time linear in the model.
NodeCount find_dead_ends(const Rsm& model);
CallGraph inspect_call_graph(const Rsm& model);
Oddities find_oddities(const Rsm& model);

/// The largest number of entries, of exits, that a component has.
std::size_t max_entries(const Rsm& model);
std::size_t max_exits(const Rsm& model);

}  // namespace nestor::model
