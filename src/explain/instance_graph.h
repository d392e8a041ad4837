#pragma once

#include "explain/labelling.h"

#include <cstdint>
#include <span>
#include <vector>

namespace nestor {

/// The instances of a labelling as one finite machine: rows for all their nodes, box nodes
/// included, and the way from an instance back to the boxes that call it.
class InstanceGraph {
 public:
  struct CallSite {
    std::uint32_t instance = 0;
    BoxId box;
  };

  InstanceGraph(const Rsm& model, const Labelling& labelling);

  const Rsm& model() const { return model_; }
  std::size_t instance_count() const { return labelling_.instances.size(); }
  const Component& component(std::uint32_t instance) const {
    return model_.component(labelling_.instances[instance].component);
  }
  std::size_t row_count() const { return first_row_.back(); }
  /// Of any node, call and return nodes included.
  std::size_t row(std::uint32_t instance, NodeId n) const {
    return first_row_[instance] + (n - component(instance).first_node);
  }
  std::size_t first_row(std::uint32_t instance) const { return first_row_[instance]; }
  /// The row of a plain node in the labelling.
  std::size_t plain_row(std::uint32_t instance, NodeId plain) const {
    return labelling_.node_row(model_, instance, plain);
  }
  std::size_t plain_row_count() const { return labelling_.node_rows; }
  std::uint32_t callee(std::uint32_t instance, BoxId box) const {
    return labelling_.callees[labelling_.box_row(model_, instance, box)];
  }
  std::span<const CallSite> callers(std::uint32_t instance) const {
    const std::uint32_t first = first_caller_[instance];
    return {callers_.data() + first, first_caller_[instance + 1] - first};
  }
  std::span<const NodeId> exits(std::uint32_t instance) const {
    return model_.exits(labelling_.instances[instance].component);
  }
  std::span<const NodeId> entries(std::uint32_t instance) const {
    return model_.entries(labelling_.instances[instance].component);
  }

 private:
  const Rsm& model_;
  const Labelling& labelling_;
  std::vector<std::size_t> first_row_;  // by instance, and the number of rows
  std::vector<std::uint32_t> first_caller_;
  std::vector<CallSite> callers_;
};

}  // namespace nestor
