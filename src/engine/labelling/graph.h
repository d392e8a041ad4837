#pragma once

#include "model/rsm.h"

#include <cstdint>
#include <span>
#include <vector>

namespace nestor::labelling {

/// The state graph of a machine without boxes: the nodes of its initial component. An exit there
/// loops on itself (docs/semantics.md), which the machine's transitions do not show.
class Graph {
 public:
  explicit Graph(const Rsm& model)
      : model_(model), first_(model.component(model.initial_component()).first_node) {}

  std::size_t size() const { return model_.component(model_.initial_component()).nodes().size(); }
  NodeId node(std::size_t state) const { return first_ + state; }
  std::size_t state(NodeId n) const { return n - first_; }
  std::span<const NodeId> successors(std::size_t state) const {
    return model_.successors(node(state));
  }
  std::span<const NodeId> predecessors(std::size_t state) const {
    return model_.predecessors(node(state));
  }
  bool loops(std::size_t state) const { return model_.is_exit(node(state)); }
  bool is_dead_end(std::size_t state) const { return successors(state).empty() && !loops(state); }
  const Rsm& model() const { return model_; }

 private:
  const Rsm& model_;
  NodeId first_;
};

}  // namespace nestor::labelling
