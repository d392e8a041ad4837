#pragma once

#include "base/compressed_rows.h"
#include "model/rsm.h"

#include <span>
#include <string>
#include <vector>

namespace nestor::engine::finite {

/// The states of a model without boxes: the nodes of its initial component, numbered from 0. The
/// model must outlive it.
class FiniteGraph {
 public:
  explicit FiniteGraph(const model::Rsm& model);

  std::size_t size() const { return size_; }
  std::size_t transition_count() const;
  /// What successors take, and predecessors if they were asked for.
  std::size_t relation_bytes() const;
  base::IdRange<model::NodeId> states() const { return {model::NodeId(0), model::NodeId(size_)}; }
  const std::vector<model::NodeId>& initial() const { return initial_; }
  std::span<const model::NodeId> successors(model::NodeId s) const {
    return is_copy_ ? successors_[s] : model_.successors(s);
  }
  std::span<const model::NodeId> predecessors(model::NodeId s) const {
    uses_predecessors_ = true;
    return is_copy_ ? predecessors_.get(successors_)[s] : model_.predecessors(s);
  }
  /// The states that carry the proposition, ascending.
  std::vector<model::NodeId> states_with(std::string_view proposition) const;
  /// The node of the model that a state is.
  model::NodeId node(model::NodeId s) const { return first_ + s.value(); }

 private:
  const model::Rsm& model_;
  model::NodeId first_;
  std::size_t size_;
  std::vector<model::NodeId> initial_;
  // Exits loop on themselves, and nodes may not begin at 0: then the rows differ from the model's.
  bool is_copy_ = false;
  base::CompressedRows<model::NodeId, model::NodeId> successors_;
  mutable model::LatePredecessors predecessors_;
  mutable bool uses_predecessors_ = false;
};

/// Why the engines here cannot decide `model`; empty if they can.
std::string not_finite(const model::Rsm& model);

}  // namespace nestor::engine::finite
