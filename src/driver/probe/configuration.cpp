#include "driver/probe/configuration.h"

#include "model/builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor {

namespace {

/// `n` is a plain node or a call node.
Configuration arrive(const Rsm& model, std::vector<BoxId> stack, NodeId n) {
  if (model.kind(n) == NodeKind::Call) {
    stack.push_back(model.box_of(n));
  }
  return {std::move(stack), model.origin(n)};
}

}  // namespace

std::vector<Configuration> initial_configurations(const Rsm& model) {
  std::vector<Configuration> found;
  for (const NodeId n : model.initial_nodes()) {
    found.push_back({{}, n});
  }
  return found;
}

std::vector<Configuration> successors(const Rsm& model, const Configuration& state) {
  std::vector<Configuration> found;
  for (const NodeId n : model.successors(state.node)) {
    found.push_back(arrive(model, state.stack, n));
  }
  if (model.is_exit(state.node)) {
    if (state.stack.empty()) {
      found.push_back(state);
    } else {
      std::vector<BoxId> below = state.stack;
      const Box& box = model.box(below.back());
      below.pop_back();
      for (const NodeId n : model.successors(box.first_return + model.exit_index(state.node))) {
        found.push_back(arrive(model, below, n));
      }
    }
  }
  std::vector<Configuration> once;
  for (Configuration& next : found) {
    if (std::ranges::find(once, next) == once.end()) {
      once.push_back(std::move(next));
    }
  }
  return once;
}

std::string describe(const Rsm& model, const Configuration& state) {
  std::string text;
  for (const BoxId b : state.stack) {
    text += fmt::format("{}.{}/", model.component_name(model.box(b).owner), model.box_name(b));
  }
  return text + model.describe(state.node);
}

namespace {

constexpr const char* kStart = "@start of the probe";
constexpr const char* kBox = "@call of the probe";

/// Copies of the components whose calls are open, one a call. Copy i calls copy i + 1 through a box
/// of its own, whose returns go where those of the open call go; everything else is as it was.
class LeadBuilder {
 public:
  LeadBuilder(const Rsm& model, const Configuration& state)
      : model_(model), state_(state), labels_(model.props_by_node()), builder_("probe") {}

  Lead build() {
    for (const ComponentId c : model_.components()) {
      component(std::string(model_.component_name(c)), c);
    }
    for (std::size_t i = 0; i <= state_.stack.size(); ++i) {
      copy(i);
    }
    builder_.initial_component(name_of_copy(0));
    builder_.initial_node(kStart);
    return {builder_.finish(), state_.stack.size() + 1};
  }

 private:
  using Ref = ModelBuilder::Ref;

  static std::string name_of_copy(std::size_t i) { return fmt::format("@copy {}", i); }

  Ref ref(NodeId n) const {
    return model_.kind(n) == NodeKind::Plain
               ? Ref::node(model_.node_name(n))
               : Ref::box_node(model_.box_name(model_.box_of(n)), model_.node_name(n));
  }

  void component(const std::string& name, ComponentId c) {
    builder_.component(name);
    for (const NodeId n : model_.component(c).plain_nodes()) {
      builder_.node({.name = model_.node_name(n),
                     .is_entry = model_.is_entry(n),
                     .is_exit = model_.is_exit(n)});
      for (const PropId p : labels_[n]) {
        builder_.label(model_.prop_name(p));
      }
    }
    for (const BoxId b : model_.component(c).boxes()) {
      builder_.box(model_.box_name(b), model_.component_name(model_.box(b).callee));
    }
    for (const NodeId n : model_.component(c).nodes()) {
      for (const NodeId m : model_.successors(n)) {
        builder_.transition(ref(n), ref(m));
      }
    }
  }

  void copy(std::size_t i) {
    const bool innermost = i == state_.stack.size();
    component(name_of_copy(i),
              innermost ? model_.component_of(state_.node) : model_.box(state_.stack[i]).owner);
    builder_.node({.name = kStart, .is_entry = i > 0});
    if (innermost) {
      builder_.transition(Ref::node(kStart), ref(state_.node));
      return;
    }
    builder_.box(kBox, name_of_copy(i + 1));
    builder_.transition(Ref::node(kStart), Ref::box_node(kBox, kStart));
    for (const NodeId n : model_.box(state_.stack[i]).return_nodes()) {
      for (const NodeId m : model_.successors(n)) {
        builder_.transition(Ref::box_node(kBox, model_.node_name(n)), ref(m));
      }
    }
  }

  const Rsm& model_;
  const Configuration& state_;
  CompressedRows<NodeId, PropId> labels_;
  ModelBuilder builder_;
};

}  // namespace

Lead lead_to(const Rsm& model, const Configuration& state) {
  return LeadBuilder(model, state).build();
}

}  // namespace nestor
