// Taking the pieces of a model. What they mean together is found in builder_resolve.cpp.

#include "model/builder.h"

#include <cassert>

namespace nestor::model {

ModelBuilder::ModelBuilder(std::string file,
                           std::function<base::SourceLocation(base::Offset)> locate)
    : file_(std::move(file)), locate_(std::move(locate)) {}

namespace {
template <class Items>
std::uint32_t size_of(const Items& items) {
  return static_cast<std::uint32_t>(items.size());
}
}  // namespace

void ModelBuilder::component(std::string_view name, base::Offset at) {
  pending_components_.push_back({model_.strings_.intern(name), at, size_of(pending_nodes_),
                                 size_of(pending_boxes_), size_of(pending_sources_)});
}

void ModelBuilder::rename_component(std::string_view name, base::Offset at) {
  assert(!pending_components_.empty());
  pending_components_.back().name = model_.strings_.intern(name);
  pending_components_.back().at = at;
}

void ModelBuilder::node(const Node& node, base::Offset at) {
  assert(!pending_components_.empty());
  if (!node.file.empty()) {
    pending_positions_.resize(pending_nodes_.size());
    pending_positions_.push_back({model_.strings_.intern(node.file), node.line});
  }
  pending_nodes_.push_back({model_.strings_.intern(node.name), at, size_of(pending_labels_),
                            node.is_entry, node.is_exit});
}

void ModelBuilder::label(std::string_view proposition) {
  assert(!pending_nodes_.empty());
  pending_labels_.push_back(model_.strings_.intern(proposition));
}

void ModelBuilder::box(std::string_view name, std::string_view callee, base::Offset at,
                       base::Offset callee_at) {
  assert(!pending_components_.empty());
  pending_boxes_.push_back({model_.strings_.intern(name), model_.strings_.intern(callee), at,
                            callee_at, false, size_of(pending_calls_), size_of(pending_returns_)});
}

void ModelBuilder::list_box_nodes() {
  assert(!pending_boxes_.empty());
  pending_boxes_.back().listed = true;
}

void ModelBuilder::call_node(std::string_view entry, base::Offset at) {
  assert(!pending_boxes_.empty() && pending_boxes_.back().listed);
  pending_calls_.push_back({model_.strings_.intern(entry), at});
}

void ModelBuilder::return_node(std::string_view exit, base::Offset at) {
  assert(!pending_boxes_.empty() && pending_boxes_.back().listed);
  pending_returns_.push_back({model_.strings_.intern(exit), at});
}

ModelBuilder::PendingRef ModelBuilder::pending(const Ref& ref, base::Offset at) {
  const base::StringId box = ref.in_box ? model_.strings_.intern(ref.box) : base::StringId();
  return {box, model_.strings_.intern(ref.name), at};
}

void ModelBuilder::source(const Ref& source, base::Offset at) {
  assert(!pending_components_.empty());
  pending_sources_.push_back({pending(source, at), size_of(pending_targets_)});
}

void ModelBuilder::target(const Ref& target, base::Offset at) {
  assert(!pending_sources_.empty());
  pending_targets_.push_back(pending(target, at));
}

void ModelBuilder::initial_component(std::string_view name, base::Offset at) {
  initial_component_ = {model_.strings_.intern(name), at};
}

void ModelBuilder::initial_node(std::string_view name, base::Offset at) {
  initial_nodes_.push_back({model_.strings_.intern(name), at});
}

}  // namespace nestor::model
