#include "explain/instance_graph.h"

namespace nestor {

InstanceGraph::InstanceGraph(const Rsm& model, const Labelling& labelling)
    : model_(model), labelling_(labelling) {
  const std::size_t count = instance_count();
  first_row_.reserve(count + 1);
  first_row_.push_back(0);
  first_caller_.assign(count + 1, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    first_row_.push_back(first_row_.back() + component(i).nodes().size());
    for (const BoxId b : component(i).boxes()) {
      ++first_caller_[callee(i, b) + 1];
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    first_caller_[i + 1] += first_caller_[i];
  }
  callers_.resize(first_caller_.back());
  std::vector<std::uint32_t> next(first_caller_.begin(), first_caller_.end() - 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const BoxId b : component(i).boxes()) {
      callers_[next[callee(i, b)]++] = {i, b};
    }
  }
}

}  // namespace nestor
