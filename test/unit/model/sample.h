#pragma once

#include "model/builder.h"
#include "model/rsm.h"

#include <string>
#include <string_view>
#include <vector>

namespace nestor::model {

using Ref = ModelBuilder::Ref;

/// Two entries, three exits, called twice from `main`; `main` calls itself, too. The node `same`
/// exists in both components.
inline void build_sample(ModelBuilder& builder) {
  builder.component("f");
  builder.node({.name = "in1", .is_entry = true});
  builder.label("p");
  builder.node({.name = "out1", .is_exit = true});
  builder.label("p");
  builder.label("q");
  builder.node({.name = "same"});
  builder.node({.name = "in2", .is_entry = true});
  builder.label("q");
  builder.label("q");  // twice counts once
  builder.node({.name = "out2", .is_exit = true, .file = "f.c", .line = 7});
  builder.node({.name = "through", .is_entry = true, .is_exit = true});
  builder.label("p");
  builder.transition(Ref::node("in1"), Ref::node("out1"));
  builder.transition(Ref::node("in2"), Ref::node("same"));
  builder.transition(Ref::node("same"), Ref::node("out2"));
  builder.transition(Ref::node("same"), Ref::node("in2"));

  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.node({.name = "same"});
  builder.label("r");
  builder.node({.name = "end", .is_exit = true});
  builder.box("first", "f");
  builder.box("again", "main");
  builder.box("second", "f");
  builder.source(Ref::node("start"));
  builder.target(Ref::box_node("second", "in2"));
  builder.target(Ref::node("same"));
  builder.target(Ref::box_node("first", "in1"));
  builder.target(Ref::node("same"));
  builder.transition(Ref::box_node("first", "out1"), Ref::box_node("second", "through"));
  builder.transition(Ref::box_node("second", "out2"), Ref::node("end"));
  builder.transition(Ref::box_node("second", "through"), Ref::node("end"));
  builder.transition(Ref::node("same"), Ref::box_node("again", "start"));
  builder.transition(Ref::box_node("again", "end"), Ref::node("end"));
  builder.transition(Ref::node("start"), Ref::node("end"));
  builder.initial_component("main");
}

inline Rsm sample() {
  ModelBuilder builder("sample");
  build_sample(builder);
  return builder.finish();
}

/// The node that Rsm::describe() calls `name`.
inline NodeId find(const Rsm& model, std::string_view name) {
  for (const NodeId n : model.nodes()) {
    if (model.describe(n) == name) {
      return n;
    }
  }
  return {};
}

template <class Nodes>
std::vector<std::string> describe(const Rsm& model, const Nodes& nodes) {
  std::vector<std::string> names;
  for (const NodeId n : nodes) {
    names.push_back(model.describe(n));
  }
  return names;
}

}  // namespace nestor::model
