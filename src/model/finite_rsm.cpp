#include "model/finite_rsm.h"

#include <cassert>
#include <utility>

namespace nestor::model {

Rsm make_finite_rsm(FiniteParts parts) {
  assert(!parts.initial.empty() && parts.names != nullptr);
  const std::size_t size = parts.successors.row_count();
  Rsm model;
  const NodeId first(0);
  const NodeId end(size);
  model.components_.push_back({model.strings_.intern("main"), first, end, end, BoxId(0), BoxId(0)});
  model.entries_.append_row(parts.initial);
  model.exits_.append_row({});
  model.callers_.append_row({});
  model.successors_ = std::move(parts.successors);
  model.late_predecessors_ = std::make_shared<LatePredecessors>();

  model.component_of_.assign(size, ComponentId(0));
  model.flags_.assign(size, 0);
  for (const NodeId n : parts.initial) {
    model.flags_[n] = Rsm::kEntry;
  }
  add_propositions(model, parts.propositions, std::move(parts.nodes_with));
  model.initial_component_ = ComponentId(0);
  model.initial_nodes_ = std::move(parts.initial);
  model.plain_node_count_ = size;
  model.node_names_ = std::move(parts.names);
  model.identity_ = Rsm::new_identity();
  return model;
}

void add_propositions(Rsm& model, std::span<const std::string> propositions,
                      base::CompressedRows<PropId, NodeId> rows) {
  base::CompressedRows<PropId, NodeId> nodes_with;
  if (model.prop_names_.size() == 0) {
    nodes_with = std::move(rows);
  } else {
    nodes_with = model.nodes_with_;
    for (std::size_t i = 0; i < rows.row_count(); ++i) {
      nodes_with.append_row(rows[PropId(i)]);
    }
  }
  std::vector<base::StringId> names;
  for (const std::string& name : propositions) {
    names.push_back(model.strings_.intern(name));
  }
  model.prop_of_string_.resize(model.strings_.size(), base::Id<struct PropTag>::kInvalid);
  model.prop_names_.reserve(model.prop_names_.size() + names.size());
  // Nothing throws from here on.
  model.nodes_with_ = std::move(nodes_with);
  for (const base::StringId name : names) {
    model.prop_of_string_[name.value()] = model.prop_names_.push_back(name).value();
  }
}

}  // namespace nestor::model
