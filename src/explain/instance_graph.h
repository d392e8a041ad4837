#pragma once

#include "explain/labelling.h"

#include <span>
#include <vector>

namespace nestor::explain {

/// The graph that proofs and paths walk along: a row for every node of every instance, call and
/// return nodes included, and for each instance the boxes that call it.
class InstanceGraph {
 public:
  struct Caller {
    std::uint32_t instance = 0;
    model::BoxId box;
  };

  InstanceGraph(const model::Rsm& model, const Labelling& labelling);

  const model::Rsm& model() const { return model_; }
  const Labelling& labelling() const { return labelling_; }
  std::uint32_t instance_count() const {
    return static_cast<std::uint32_t>(labelling_.instances.size());
  }
  const model::Component& component(std::uint32_t instance) const {
    return model_.component(labelling_.instances[instance].component);
  }
  std::span<const model::NodeId> exits(std::uint32_t instance) const {
    return model_.exits(labelling_.instances[instance].component);
  }
  std::span<const model::NodeId> entries(std::uint32_t instance) const {
    return model_.entries(labelling_.instances[instance].component);
  }
  std::uint32_t callee(std::uint32_t instance, model::BoxId box) const {
    return labelling_.callees[labelling_.box_row(model_, instance, box)];
  }
  std::span<const Caller> callers(std::uint32_t instance) const {
    return {callers_.data() + first_caller_[instance],
            first_caller_[instance + 1] - first_caller_[instance]};
  }

  std::uint32_t row_count() const { return row_count_; }
  std::uint32_t row(std::uint32_t instance, model::NodeId n) const {
    return first_row_[instance] + (n - first_node_[instance]);
  }
  /// Of a row of the instance.
  model::NodeId node(std::uint32_t instance, std::uint32_t row) const {
    return first_node_[instance] + (row - first_row_[instance]);
  }
  /// The row of a plain node in the labelling.
  std::size_t plain_row(std::uint32_t instance, model::NodeId plain) const {
    return labelling_.instances[instance].first_node + (plain - first_node_[instance]);
  }
  /// Whether a set by plain row holds the state that a node is, which for a call or return node is
  /// a state of the callee.
  bool is_in(const base::BitSet& set, std::uint32_t instance, model::NodeId n) const {
    if (model_.kind(n) == model::NodeKind::Plain) {
      return set.test(plain_row(instance, n));
    }
    return set.test(plain_row(callee(instance, model_.box_of(n)), model_.origin(n)));
  }
  /// The value of the subformula at `place` at a plain node.
  bool value(std::size_t place, std::uint32_t instance, model::NodeId plain) const {
    return labelling_.values[place].test(plain_row(instance, plain));
  }
  bool in_context(std::size_t place, std::uint32_t instance, std::size_t exit) const {
    return labelling_.contexts[place].test(labelling_.exit_row(instance, exit));
  }

 private:
  const model::Rsm& model_;
  const Labelling& labelling_;
  std::uint32_t row_count_ = 0;
  std::vector<std::uint32_t> first_row_;
  std::vector<model::NodeId> first_node_;  // the component's, kept here to save a look there
  std::vector<Caller> callers_;
  std::vector<std::uint32_t> first_caller_;
};

}  // namespace nestor::explain
