#include "model/rebuild.h"

#include <fmt/format.h>

#include <string>
#include <unordered_set>

namespace nestor::model {

namespace {

template <class Keep, class... Arguments>
bool keeps(const Keep& keep, Arguments... arguments) {
  return !keep || keep(arguments...);
}

ModelBuilder::Ref ref_to(const Rsm& model, NodeId n) {
  return model.kind(n) == NodeKind::Plain
             ? ModelBuilder::Ref::node(model.node_name(n))
             : ModelBuilder::Ref::box_node(model.box_name(model.box_of(n)), model.node_name(n));
}

/// Whether all that a node of the new model would stand for is kept.
bool keeps_reference(const Rsm& model, const Rebuild& what, NodeId n) {
  if (model.kind(n) == NodeKind::Plain) {
    return keeps(what.keep_node, n);
  }
  const BoxId b = model.box_of(n);
  return keeps(what.keep_box, b) && keeps(what.keep_component, model.box(b).callee) &&
         keeps(what.keep_node, model.origin(n));
}

void rebuild_component(const Rsm& model, const Rebuild& what, ComponentId c,
                       const base::CompressedRows<NodeId, PropId>& labels, ModelBuilder& builder) {
  const Component& component = model.component(c);
  builder.component(model.component_name(c));
  for (const NodeId n : component.plain_nodes()) {
    if (!keeps(what.keep_node, n)) {
      continue;
    }
    const std::optional<NodePosition> position = model.position(n);
    builder.node({.name = model.node_name(n),
                  .is_entry = model.is_entry(n),
                  .is_exit = model.is_exit(n),
                  .file = position ? model.string(position->file) : std::string_view(),
                  .line = position ? position->line : 0});
    for (const PropId p : labels[n]) {
      if (keeps(what.keep_label, p, n)) {
        builder.label(model.prop_name(p));
      }
    }
  }
  for (const BoxId b : component.boxes()) {
    if (keeps(what.keep_box, b) && keeps(what.keep_component, model.box(b).callee)) {
      builder.box(model.box_name(b), model.component_name(model.box(b).callee));
    }
  }
  for (const NodeId n : component.nodes()) {
    if (model.successors(n).empty() || !keeps_reference(model, what, n)) {
      continue;
    }
    builder.source(ref_to(model, n));
    for (std::size_t i = 0; i < model.successors(n).size(); ++i) {
      const NodeId to = model.successors(n)[i];
      if (keeps_reference(model, what, to) && keeps(what.keep_transition, n, i)) {
        builder.target(ref_to(model, to));
      }
    }
  }
  if (what.add) {
    what.add(c, builder);
  }
}

}  // namespace

Rsm rebuild(const Rsm& model, const Rebuild& what) {
  ModelBuilder builder("");
  const base::CompressedRows<NodeId, PropId> labels = model.props_by_node();
  for (const ComponentId c : model.components()) {
    if (keeps(what.keep_component, c)) {
      rebuild_component(model, what, c, labels, builder);
    }
  }
  builder.initial_component(model.component_name(model.initial_component()));
  if (model.initial_nodes_named() && what.keep_initial_nodes) {
    for (const NodeId n : model.initial_nodes()) {
      if (keeps(what.keep_node, n)) {
        builder.initial_node(model.node_name(n));
      }
    }
  }
  return builder.finish();
}

Rsm loop_dead_ends(const Rsm& model) {
  const base::CompressedRows<NodeId, PropId> labels = model.props_by_node();
  Rebuild what;
  what.add = [&](ComponentId c, ModelBuilder& builder) {
    std::unordered_set<std::string> taken;
    for (const NodeId n : model.component(c).plain_nodes()) {
      taken.emplace(model.node_name(n));
    }
    for (const NodeId n : model.component(c).nodes()) {
      if (!model.is_dead_end(n)) {
        continue;
      }
      if (model.kind(n) == NodeKind::Plain) {
        builder.transition(ref_to(model, n), ref_to(model, n));
        continue;
      }
      std::string name =
          fmt::format("end:{}:{}", model.box_name(model.box_of(n)), model.node_name(n));
      while (!taken.insert(name).second) {
        name += '\'';
      }
      builder.node({.name = name});
      for (const PropId p : labels[model.origin(n)]) {
        builder.label(model.prop_name(p));
      }
      builder.transition(ref_to(model, n), ModelBuilder::Ref::node(name));
      builder.transition(ModelBuilder::Ref::node(name), ModelBuilder::Ref::node(name));
    }
  };
  return rebuild(model, what);
}

}  // namespace nestor::model
