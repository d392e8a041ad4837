#pragma once

#include "base/compressed_rows.h"
#include "model/rsm.h"

#include <span>
#include <string>
#include <vector>

namespace nestor {

/// The states of a model without boxes: the nodes of its initial component, numbered from 0. The
/// model must outlive it.
class FiniteGraph {
 public:
  explicit FiniteGraph(const Rsm& model);

  std::size_t size() const { return size_; }
  std::size_t transition_count() const;
  IdRange<NodeId> states() const { return {NodeId(0), NodeId(size_)}; }
  const std::vector<NodeId>& initial() const { return initial_; }
  std::span<const NodeId> successors(NodeId s) const {
    return is_copy_ ? successors_[s] : model_.successors(s);
  }
  std::span<const NodeId> predecessors(NodeId s) const {
    return is_copy_ ? predecessors_[s] : model_.predecessors(s);
  }
  /// The states that carry the proposition, ascending.
  std::vector<NodeId> states_with(std::string_view proposition) const;
  /// The node of the model that a state is.
  NodeId node(NodeId s) const { return first_ + s.value(); }

 private:
  const Rsm& model_;
  NodeId first_;
  std::size_t size_;
  std::vector<NodeId> initial_;
  // Exits loop on themselves, and nodes may not begin at 0: then the rows differ from the model's.
  bool is_copy_ = false;
  CompressedRows<NodeId, NodeId> successors_;
  CompressedRows<NodeId, NodeId> predecessors_;
};

/// Why the engines here cannot decide `model`; empty if they can.
std::string not_finite(const Rsm& model);

}  // namespace nestor
