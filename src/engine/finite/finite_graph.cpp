#include "engine/finite/finite_graph.h"

#include <fmt/format.h>

#include <cassert>

namespace nestor::engine::finite {

FiniteGraph::FiniteGraph(const model::Rsm& model)
    : model_(model),
      first_(model.component(model.initial_component()).first_node),
      size_(model.component(model.initial_component()).plain_nodes().size()) {
  for (const model::NodeId n : model.initial_nodes()) {
    initial_.emplace_back(n - first_);
  }
  is_copy_ = first_.value() != 0 || !model.exits(model.initial_component()).empty();
  if (!is_copy_) {
    return;
  }
  std::vector<model::NodeId> row;
  for (const model::NodeId s : states()) {
    row.clear();
    for (const model::NodeId m : model.successors(node(s))) {
      assert(m - first_ < size_);  // no boxes, so no transition leaves the component
      row.emplace_back(m - first_);
    }
    if (model.is_exit(node(s))) {
      row.push_back(s);
    }
    successors_.append_row(row);
  }
}

std::size_t FiniteGraph::relation_bytes() const {
  const std::size_t one =
      transition_count() * sizeof(model::NodeId) + (size_ + 1) * sizeof(std::uint32_t);
  return uses_predecessors_ ? 2 * one : one;
}

std::size_t FiniteGraph::transition_count() const {
  return is_copy_ ? successors_.item_count() : model_.transition_count();
}

std::vector<model::NodeId> FiniteGraph::states_with(std::string_view proposition) const {
  std::vector<model::NodeId> found;
  const model::PropId prop = model_.find_prop(proposition);
  if (prop.valid()) {
    for (const model::NodeId n : model_.nodes_with(prop)) {
      if (n >= first_ && n - first_ < size_) {
        found.emplace_back(n - first_);
      }
    }
  }
  return found;
}

std::string not_finite(const model::Rsm& model) {
  return model.box_count() == 0
             ? std::string()
             : fmt::format("this engine decides finite models only, and this one has {} box{}",
                           model.box_count(), model.box_count() == 1 ? "" : "es");
}

}  // namespace nestor::engine::finite
