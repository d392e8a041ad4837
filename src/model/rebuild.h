#pragma once

#include "model/builder.h"
#include "model/rsm.h"

#include <functional>

namespace nestor::model {

/// Which parts of a model rebuild() keeps, and what it adds. Unset: all, nothing.
struct Rebuild {
  std::function<bool(ComponentId)> keep_component;
  std::function<bool(NodeId)> keep_node;  ///< plain nodes only
  std::function<bool(BoxId)> keep_box;
  std::function<bool(NodeId from, std::size_t successor)> keep_transition;
  std::function<bool(PropId, NodeId)> keep_label;
  bool keep_initial_nodes = true;  ///< where the input named them
  /// Called at the end of each component, to add pieces to it.
  std::function<void(ComponentId, ModelBuilder&)> add;
};

/// Feeds the pieces of `model` to a new builder and finishes it. What refers to a dropped piece is
/// dropped too. For passes that change a model: they say what changes, not how models are made.
/// Throws Error if the result is not well-formed.
Rsm rebuild(const Rsm& model, const Rebuild& what);

/// The same model with a self-loop at every dead end. A return node cannot loop on itself, since
/// transitions never lead to return nodes; it gets a successor with the exit's labels that does,
/// which no formula can tell from a loop.
Rsm loop_dead_ends(const Rsm& model);

}  // namespace nestor::model
