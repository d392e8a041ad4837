#pragma once

#include "explain/instance_graph.h"
#include "model/state.h"

#include <cstdint>
#include <vector>

namespace nestor::explain {

/// The stacks of a witness and the instance in which each of them is.
class StackInstances {
 public:
  StackInstances(const InstanceGraph& graph, model::StackTable& table)
      : graph_(graph), table_(table), instances_{Labelling::kRoot} {}

  model::StackTable& table() const { return table_; }
  std::uint32_t instance(model::StackId stack) const {
    while (instances_.size() <= stack.value()) {  // stacks below have smaller ids
      const model::StackId next(instances_.size());
      instances_.push_back(graph_.callee(instances_[table_.below(next).value()], table_.top(next)));
    }
    return instances_[stack.value()];
  }

 private:
  const InstanceGraph& graph_;
  model::StackTable& table_;
  mutable std::vector<std::uint32_t> instances_;  // as far as asked for
};

}  // namespace nestor::explain
