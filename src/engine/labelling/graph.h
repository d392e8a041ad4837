#pragma once

#include "base/compressed_rows.h"
#include "base/limits.h"
#include "model/rsm.h"

#include <cstdint>
#include <span>
#include <vector>

namespace nestor::engine::labelling {

/// The state graph of a machine without boxes: the nodes of its initial component. An exit there
/// loops on itself (docs/semantics.md), which the machine's transitions do not show.
///
/// States are numbered anew, in the order in which a depth-first search leaves them: a state comes
/// after its successors unless it closes a loop. What is known of a state follows from its
/// successors, so work in this order meets most states once. The transitions are copied: then
/// neighbours in the graph are neighbours in memory, where the machine's are far apart.
class Graph {
 public:
  /// May throw LimitReached.
  Graph(const model::Rsm& model, base::LimitGuard& guard);

  std::size_t size() const { return node_of_.size(); }
  model::NodeId first() const { return first_; }  ///< of the component's nodes
  model::NodeId node(std::size_t state) const { return node_of_[state]; }
  std::size_t state(model::NodeId n) const { return state_of_[n - first_]; }
  /// In the order of the machine's.
  std::span<const std::uint32_t> successors(std::size_t state) const {
    return successors_[StateNumber(state)];
  }
  std::span<const std::uint32_t> predecessors(std::size_t state) const {
    return predecessors_[StateNumber(state)];
  }
  bool loops(std::size_t state) const { return model_.is_exit(node(state)); }
  bool is_dead_end(std::size_t state) const { return successors(state).empty() && !loops(state); }
  const model::Rsm& model() const { return model_; }

 private:
  using StateNumber = base::Id<struct StateNumberTag>;
  using Rows = base::CompressedRows<StateNumber, std::uint32_t>;

  /// A transition to a state that had no number yet.
  struct Loop {
    std::uint32_t state = 0;
    std::uint32_t position = 0;  // among its successors
    model::NodeId to;
  };

  void search(model::NodeId root, base::LimitGuard& guard);
  void leave(model::NodeId n);
  void close_loops();
  void turn_round(base::LimitGuard& guard);

  const model::Rsm& model_;
  model::NodeId first_;
  std::vector<model::NodeId> node_of_;   // by state
  std::vector<std::uint32_t> state_of_;  // by node
  Rows successors_;
  Rows predecessors_;
  // While it is built:
  std::vector<std::uint32_t> row_;
  std::vector<Loop> loops_;
};

}  // namespace nestor::engine::labelling
