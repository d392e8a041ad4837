#include "draft.h"

#include "model/builder.h"

namespace nestor::test {

Draft draft_of(const model::Rsm& model) {
  Draft draft;
  for (const model::ComponentId c : model.components()) {
    const model::Component& from = model.component(c);
    const auto end_of = [&](model::NodeId n) {
      const model::NodeId origin = model.origin(n);
      const model::NodeId first = model.component(model.component_of(origin)).first_node;
      return Draft::End{model.kind(n) == model::NodeKind::Plain ? Draft::kNoBox
                                                                : model.box_of(n) - from.first_box,
                        origin - first};
    };
    Draft::Component component;
    component.name = model.component_name(c);
    for (const model::NodeId n : from.plain_nodes()) {
      Draft::Node node{std::string(model.node_name(n)), model.is_entry(n), model.is_exit(n), {}};
      for (const model::PropId p : model.props_of(n)) {
        node.labels.emplace_back(model.prop_name(p));
      }
      component.nodes.push_back(std::move(node));
    }
    for (const model::BoxId b : from.boxes()) {
      component.boxes.push_back({std::string(model.box_name(b)), model.box(b).callee.value()});
    }
    for (const model::NodeId n : from.nodes()) {
      for (const model::NodeId m : model.successors(n)) {
        component.transitions.push_back({end_of(n), end_of(m)});
      }
    }
    draft.components.push_back(std::move(component));
  }
  draft.initial_component = model.initial_component().value();
  for (const model::NodeId n : model.initial_nodes()) {
    draft.initial_nodes.push_back(n - model.component(model.initial_component()).first_node);
  }
  return draft;
}

model::Rsm build(const Draft& draft) {
  model::ModelBuilder builder("");
  for (const Draft::Component& component : draft.components) {
    const auto ref = [&](const Draft::End& end) {
      if (end.box == Draft::kNoBox) {
        return model::ModelBuilder::Ref::node(component.nodes.at(end.node).name);
      }
      const Draft::Box& box = component.boxes.at(end.box);
      return model::ModelBuilder::Ref::box_node(
          box.name, draft.components.at(box.callee).nodes.at(end.node).name);
    };
    builder.component(component.name);
    for (const Draft::Node& node : component.nodes) {
      builder.node({.name = node.name, .is_entry = node.is_entry, .is_exit = node.is_exit});
      for (const std::string& label : node.labels) {
        builder.label(label);
      }
    }
    for (const Draft::Box& box : component.boxes) {
      builder.box(box.name, draft.components.at(box.callee).name);
    }
    for (const Draft::Transition& transition : component.transitions) {
      builder.transition(ref(transition.from), ref(transition.to));
    }
  }
  const Draft::Component& initial = draft.components.at(draft.initial_component);
  builder.initial_component(initial.name);
  for (const std::size_t n : draft.initial_nodes) {
    builder.initial_node(initial.nodes.at(n).name);
  }
  return builder.finish();
}

}  // namespace nestor::test
