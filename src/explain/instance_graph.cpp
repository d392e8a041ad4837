#include "explain/instance_graph.h"

namespace nestor::explain {

InstanceGraph::InstanceGraph(const model::Rsm& model, const Labelling& labelling)
    : model_(model), labelling_(labelling), first_caller_(labelling.instances.size() + 2, 0) {
  for (const Labelling::Instance& instance : labelling.instances) {
    const model::Component& c = model.component(instance.component);
    first_row_.push_back(row_count_);
    first_node_.push_back(c.first_node);
    row_count_ += static_cast<std::uint32_t>(c.nodes().size());
  }
  // A counting sort; the counts are shifted by two so that they end up as first positions.
  for (const std::uint32_t callee : labelling.callees) {
    ++first_caller_[callee + 2];
  }
  for (std::size_t i = 2; i < first_caller_.size(); ++i) {
    first_caller_[i] += first_caller_[i - 1];
  }
  callers_.resize(labelling.callees.size());
  for (std::uint32_t i = 0; i < instance_count(); ++i) {
    for (const model::BoxId b : component(i).boxes()) {
      callers_[first_caller_[callee(i, b) + 1]++] = {i, b};
    }
  }
}

}  // namespace nestor::explain
