#pragma once

#include "base/random.h"
#include "model/rsm.h"

#include <cstddef>
#include <string>
#include <vector>

namespace nestor::generate {

struct LabelShare {
  std::string name;
  double share = 0.5;  ///< of the nodes
};

/// The random machines of document [DWF24], section 7.2, and what tests need beyond them.
struct RandomRsmOptions {
  std::size_t components = 3;
  std::size_t boxes = 2;  ///< in each component
  std::size_t nodes = 6;  ///< plain ones, in each component
  double entries = 0.05;  ///< share of the nodes, at least one
  double exits = 0.05;    ///< share of the nodes, at least one
  double density = 0.2;   ///< of the possible transitions
  std::vector<LabelShare> labels = {{"a", 0.4}, {"b", 0.6}, {"c", 0.5}};

  bool hierarchical = false;       ///< boxes call later components only, so nothing is recursive
  bool entries_may_exit = false;   ///< a node may be entry and exit
  bool into_entries = false;       ///< transitions may lead into entries
  bool exits_go_on = false;        ///< exits may have local successors
  bool some_never_exit = false;    ///< some components have no exits
  bool dead_ends = false;          ///< else every node but an exit gets a successor
  bool forward = false;            ///< no loops inside a component: paths end, return or recur
  bool any_initial_nodes = false;  ///< name some nodes as initial, not only entries
};

/// Deterministic: the same options and random state give the same model on every machine.
model::Rsm random_rsm(const RandomRsmOptions& options, base::Random& random);

}  // namespace nestor::generate
