// Names to ids, and every well-formedness check.

#include "base/bit_set.h"
#include "model/builder.h"
#include "model/rebuild.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>

namespace nestor::model {

namespace {
constexpr std::uint32_t kNotFound = std::numeric_limits<std::uint32_t>::max();
}

void ModelBuilder::fail(const std::string& message, base::Offset at) const {
  throw base::Error(base::Error::Kind::Input, message,
                    locate_ ? locate_(at) : base::SourceLocation{file_, 0, 0});
}

std::string ModelBuilder::quoted(base::StringId name) const {
  return fmt::format("'{}'", model_.strings_[name]);
}

/// Where the pieces of component `i` end: where those of the next one begin.
template <class Pending>
std::uint32_t ModelBuilder::end_of(const std::vector<PendingComponent>& all, std::size_t i,
                                   std::uint32_t PendingComponent::*first,
                                   const std::vector<Pending>& items) {
  return i + 1 < all.size() ? all[i + 1].*first : static_cast<std::uint32_t>(items.size());
}

Rsm ModelBuilder::finish(DeadEnds dead_ends) {
  resolve_component_names();
  place_entries_and_exits();
  place_boxes();
  place_nodes();
  check_box_lists();
  resolve_transitions();
  index_labels();
  resolve_initial_nodes();
  model_.identity_ = Rsm::new_identity();
  return treat_dead_ends(std::move(model_), dead_ends);
}

void ModelBuilder::resolve_component_names() {
  component_of_string_.assign(model_.strings_.size(), ComponentId());
  for (const PendingComponent& pending : pending_components_) {
    ComponentId& component = component_of_string_[pending.name.value()];
    if (component.valid()) {
      fail(fmt::format("duplicate component {}", quoted(pending.name)), pending.at);
    }
    component = model_.components_.push_back({});
    model_.components_[component].name = pending.name;
  }
  if (!initial_component_.name.valid()) {
    fail("no initial component", 0);
  }
  model_.initial_component_ = component_of_string_[initial_component_.name.value()];
  if (!model_.initial_component_.valid()) {
    fail(fmt::format("unknown initial component {}", quoted(initial_component_.name)),
         initial_component_.at);
  }
}

void ModelBuilder::sort_by_name(std::vector<NamedIndex>& names) {
  std::sort(names.begin(), names.end(),
            [](const NamedIndex& a, const NamedIndex& b) { return a.name < b.name; });
}

void ModelBuilder::place_entries_and_exits() {
  const std::size_t count = pending_components_.size();
  entry_names_.resize(count);
  exit_names_.resize(count);
  for (const ComponentId c : model_.components()) {
    const std::size_t i = c.value();
    const std::uint32_t end =
        end_of(pending_components_, i, &PendingComponent::first_node, pending_nodes_);
    for (std::uint32_t n = pending_components_[i].first_node; n < end; ++n) {
      const PendingNode& node = pending_nodes_[n];
      if (node.is_entry) {
        entry_names_[c].push_back({node.name, static_cast<std::uint32_t>(entry_names_[c].size())});
      }
      if (node.is_exit) {
        exit_names_[c].push_back({node.name, static_cast<std::uint32_t>(exit_names_[c].size())});
      }
    }
    sort_by_name(entry_names_[c]);
    sort_by_name(exit_names_[c]);
  }
}

std::uint32_t ModelBuilder::find_index(ComponentId component, base::StringId name,
                                       bool entries) const {
  const std::vector<NamedIndex>& names = entries ? entry_names_[component] : exit_names_[component];
  const auto found =
      std::lower_bound(names.begin(), names.end(), name,
                       [](const NamedIndex& a, base::StringId b) { return a.name < b; });
  return found != names.end() && found->name == name ? found->index : kNotFound;
}

void ModelBuilder::place_boxes() {
  model_.callers_ = base::CompressedRows<ComponentId, BoxId>(model_.component_count());
  for (const ComponentId c : model_.components()) {
    const std::size_t i = c.value();
    Component& component = model_.components_[c];
    component.first_box = BoxId(model_.boxes_.size());
    const std::uint32_t end =
        end_of(pending_components_, i, &PendingComponent::first_box, pending_boxes_);
    for (std::uint32_t b = pending_components_[i].first_box; b < end; ++b) {
      const PendingBox& pending = pending_boxes_[b];
      const ComponentId callee = component_of_string_[pending.callee.value()];
      if (!callee.valid()) {
        fail(fmt::format("box {} calls the unknown component {}", quoted(pending.name),
                         quoted(pending.callee)),
             pending.callee_at);
      }
      Box box;
      box.name = pending.name;
      box.owner = c;
      box.callee = callee;
      model_.boxes_.push_back(box);
      model_.callers_.count(callee);
    }
    component.box_end = BoxId(model_.boxes_.size());
  }
  model_.callers_.finish_counting();
  for (const BoxId b : model_.boxes()) {
    model_.callers_.add(model_.box(b).callee, b);
  }
}

void ModelBuilder::place_nodes() {
  std::uint64_t total = pending_nodes_.size();
  for (const BoxId b : model_.boxes()) {
    const ComponentId callee = model_.box(b).callee;
    total += entry_names_[callee].size() + exit_names_[callee].size();
  }
  if (total >= NodeId::kInvalid) {
    throw base::Error(base::Error::Kind::Unsupported, "more than 4294967294 nodes", {file_, 0, 0});
  }
  model_.plain_node_count_ = pending_nodes_.size();
  model_.component_of_.reserve(total);
  model_.origins_.reserve(total - pending_nodes_.size());
  model_.names_.reserve(total);
  model_.flags_.reserve(total);
  model_.entries_ = base::CompressedRows<ComponentId, NodeId>(model_.component_count());
  model_.exits_ = base::CompressedRows<ComponentId, NodeId>(model_.component_count());
  for (const ComponentId c : model_.components()) {
    model_.entries_.count(c, static_cast<std::uint32_t>(entry_names_[c].size()));
    model_.exits_.count(c, static_cast<std::uint32_t>(exit_names_[c].size()));
  }
  model_.entries_.finish_counting();
  model_.exits_.finish_counting();
  const auto append = [this](ComponentId c, base::StringId name, unsigned flags) {
    model_.component_of_.push_back(c);
    model_.names_.push_back(name);
    return model_.flags_.push_back(static_cast<std::uint8_t>(flags));
  };
  for (const ComponentId c : model_.components()) {
    const std::size_t i = c.value();
    Component& component = model_.components_[c];
    component.first_node = NodeId(model_.node_count());
    const std::uint32_t end =
        end_of(pending_components_, i, &PendingComponent::first_node, pending_nodes_);
    for (std::uint32_t p = pending_components_[i].first_node; p < end; ++p) {
      const PendingNode& pending = pending_nodes_[p];
      const NodeId n =
          append(c, pending.name,
                 (pending.is_entry ? Rsm::kEntry : 0U) | (pending.is_exit ? Rsm::kExit : 0U));
      if (pending.is_entry) {
        model_.entries_.add(c, n);
      }
      if (pending.is_exit) {
        model_.exits_.add(c, n);
      }
      if (p < pending_positions_.size() && pending_positions_[p].file.valid()) {
        model_.positions_.reserve(total);
        model_.positions_.resize(n.value());
        model_.positions_.push_back(pending_positions_[p]);
      }
    }
    component.plain_end = NodeId(model_.node_count());
    for (const BoxId b : component.boxes()) {
      Box& box = model_.boxes_[b];
      const base::StringId disguised_box(b.value());
      box.first_call = NodeId(model_.node_count());
      // Where the input does not list a box's nodes, it has them all.
      const unsigned listed = pending_boxes_[b.value()].listed ? 0U : Rsm::kListed;
      for (std::size_t k = 0; k < entry_names_[box.callee].size(); ++k) {
        append(c, disguised_box, Rsm::kCall | listed);
      }
      box.first_return = NodeId(model_.node_count());
      for (std::size_t k = 0; k < exit_names_[box.callee].size(); ++k) {
        append(c, disguised_box, Rsm::kReturn | listed);
      }
      box.node_end = NodeId(model_.node_count());
    }
    component.node_end = NodeId(model_.node_count());
  }
  for (const BoxId b : model_.boxes()) {
    Box& box = model_.boxes_[b];
    box.first_origin = static_cast<std::uint32_t>(model_.origins_.size());
    for (const std::span<const NodeId> nodes :
         {model_.entries(box.callee), model_.exits(box.callee)}) {
      model_.origins_.insert(model_.origins_.end(), nodes.begin(), nodes.end());
    }
  }
}

void ModelBuilder::check_box_lists() {
  for (const BoxId b : model_.boxes()) {
    const PendingBox& pending = pending_boxes_[b.value()];
    const bool last = b.value() + 1 == pending_boxes_.size();
    const auto call_end = static_cast<std::uint32_t>(
        last ? pending_calls_.size() : pending_boxes_[b.value() + 1].first_call);
    const auto return_end = static_cast<std::uint32_t>(
        last ? pending_returns_.size() : pending_boxes_[b.value() + 1].first_return);
    if (pending.listed ? pending.first_call == call_end : model_.box(b).call_nodes().empty()) {
      fail(fmt::format("box {} has no call nodes", quoted(pending.name)), pending.at);
    }
    check_listed(b, pending_calls_, pending.first_call, call_end, true);
    check_listed(b, pending_returns_, pending.first_return, return_end, false);
  }
}

void ModelBuilder::check_listed(BoxId box, const std::vector<NamedAt>& listed, std::uint32_t first,
                                std::uint32_t last, bool calls) {
  const Box& called = model_.box(box);
  for (std::uint32_t i = first; i < last; ++i) {
    const std::uint32_t index = find_index(called.callee, listed[i].name, calls);
    if (index == kNotFound) {
      fail(fmt::format("{} node {} of box {} is no {} of component {}", calls ? "call" : "return",
                       quoted(listed[i].name), quoted(called.name), calls ? "entry" : "exit",
                       quoted(model_.component(called.callee).name)),
           listed[i].at);
    }
    const NodeId node = (calls ? called.first_call : called.first_return) + index;
    model_.flags_[node] |= Rsm::kListed;
  }
}

void ModelBuilder::resolve_transitions() {
  scope_owner_.assign(model_.strings_.size(), ComponentId());
  scope_node_.assign(model_.strings_.size(), NodeId());
  scope_box_owner_.assign(model_.strings_.size(), ComponentId());
  scope_box_.assign(model_.strings_.size(), BoxId());
  edges_.reserve(pending_targets_.size());
  for (const ComponentId c : model_.components()) {
    resolve_component_transitions(c, edges_);
  }
  pending_sources_ = {};
  pending_targets_ = {};
  model_.successors_ = base::CompressedRows<NodeId, NodeId>(model_.node_count());
  model_.predecessors_ = base::CompressedRows<NodeId, NodeId>(model_.node_count());
  for (const Edge& edge : edges_) {
    model_.successors_.count(edge.from);
    model_.predecessors_.count(edge.to);
  }
  model_.successors_.finish_counting();
  model_.predecessors_.finish_counting();
  for (const Edge& edge : edges_) {
    model_.successors_.add(edge.from, edge.to);
    model_.predecessors_.add(edge.to, edge.from);
  }
}

void ModelBuilder::resolve_component_transitions(ComponentId c, std::vector<Edge>& edges) {
  scope_ = c;
  const Component& component = model_.component(c);
  const std::uint32_t first_pending = pending_components_[c.value()].first_node;
  for (const NodeId n : component.plain_nodes()) {
    const base::StringId name = model_.names_[n];
    if (scope_owner_[name.value()] == c) {
      fail(fmt::format("duplicate node {} in component {}", quoted(name), quoted(component.name)),
           pending_nodes_[first_pending + (n - component.first_node)].at);
    }
    scope_owner_[name.value()] = c;
    scope_node_[name.value()] = n;
  }
  for (const BoxId b : component.boxes()) {
    const base::StringId name = model_.box(b).name;
    if (scope_box_owner_[name.value()] == c) {
      fail(fmt::format("duplicate box {} in component {}", quoted(name), quoted(component.name)),
           pending_boxes_[b.value()].at);
    }
    scope_box_owner_[name.value()] = c;
    scope_box_[name.value()] = b;
  }
  const std::size_t i = c.value();
  const std::uint32_t end =
      end_of(pending_components_, i, &PendingComponent::first_source, pending_sources_);
  for (std::uint32_t s = pending_components_[i].first_source; s < end; ++s) {
    const PendingSource& source = pending_sources_[s];
    const std::size_t target_end = s + 1 < pending_sources_.size()
                                       ? pending_sources_[s + 1].first_target
                                       : pending_targets_.size();
    const bool has_targets = source.first_target != target_end;
    const NodeId from = resolve_source(source, has_targets);
    for (std::size_t t = source.first_target; t < target_end; ++t) {
      edges.push_back({from, resolve_target(pending_targets_[t])});
    }
  }
}

NodeId ModelBuilder::resolve_plain(const PendingRef& ref) const {
  if (scope_owner_[ref.name.value()] != scope_) {
    fail(fmt::format("unknown node {} in component {}", quoted(ref.name),
                     quoted(model_.component(scope_).name)),
         ref.at);
  }
  return scope_node_[ref.name.value()];
}

BoxId ModelBuilder::resolve_box(const PendingRef& ref) const {
  if (scope_box_owner_[ref.box.value()] != scope_) {
    fail(fmt::format("unknown box {} in component {}", quoted(ref.box),
                     quoted(model_.component(scope_).name)),
         ref.at);
  }
  return scope_box_[ref.box.value()];
}

NodeId ModelBuilder::resolve_source(const PendingSource& source, bool has_targets) const {
  const PendingRef& ref = source.ref;
  if (!ref.box.valid()) {
    return resolve_plain(ref);
  }
  if (!has_targets) {
    return {};
  }
  const BoxId b = resolve_box(ref);
  const Box& box = model_.box(b);
  const std::uint32_t index = find_index(box.callee, ref.name, false);
  if (index == kNotFound || (model_.flags_[box.first_return + index] & Rsm::kListed) == 0) {
    fail(fmt::format("box {} has no return node {} for a transition to leave", quoted(ref.box),
                     quoted(ref.name)),
         ref.at);
  }
  return box.first_return + index;
}

NodeId ModelBuilder::resolve_target(const PendingRef& ref) const {
  if (!ref.box.valid()) {
    return resolve_plain(ref);
  }
  const BoxId b = resolve_box(ref);
  const Box& box = model_.box(b);
  const std::uint32_t index = find_index(box.callee, ref.name, true);
  if (index == kNotFound || (model_.flags_[box.first_call + index] & Rsm::kListed) == 0) {
    fail(fmt::format("box {} has no call node {} for a transition to enter", quoted(ref.box),
                     quoted(ref.name)),
         ref.at);
  }
  return box.first_call + index;
}

void ModelBuilder::index_labels() {
  model_.prop_of_string_.assign(model_.strings_.size(), PropId::kInvalid);
  // Plain nodes in the order of their ids are pending nodes in the order of their arrival, so the
  // nodes of each proposition come out ascending; a label given twice to a node counts once.
  const auto for_each_label = [this](auto visit) {
    std::vector<NodeId> last_node(model_.prop_names_.size());
    std::size_t p = 0;
    for (const ComponentId c : model_.components()) {
      for (const NodeId n : model_.component(c).plain_nodes()) {
        const std::size_t end = p + 1 < pending_nodes_.size() ? pending_nodes_[p + 1].first_label
                                                              : pending_labels_.size();
        for (std::size_t l = pending_nodes_[p].first_label; l < end; ++l) {
          const PropId prop(model_.prop_of_string_[pending_labels_[l].value()]);
          if (last_node[prop.value()] != n) {
            last_node[prop.value()] = n;
            visit(prop, n);
          }
        }
        ++p;
      }
    }
  };
  for (const base::StringId label : pending_labels_) {
    std::uint32_t& prop = model_.prop_of_string_[label.value()];
    if (prop == PropId::kInvalid) {
      prop = model_.prop_names_.push_back(label).value();
    }
  }
  model_.prop_names_.shrink_to_fit();
  model_.nodes_with_ = base::CompressedRows<PropId, NodeId>(model_.prop_count());
  for_each_label([this](PropId prop, NodeId) { model_.nodes_with_.count(prop); });
  model_.nodes_with_.finish_counting();
  for_each_label([this](PropId prop, NodeId n) { model_.nodes_with_.add(prop, n); });
}

void ModelBuilder::resolve_initial_nodes() {
  const Component& component = model_.component(model_.initial_component_);
  model_.initial_nodes_named_ = !initial_nodes_.empty();
  // Later components may have taken the names.
  scope_ = model_.initial_component_;
  for (const NodeId n : component.plain_nodes()) {
    scope_owner_[model_.names_[n].value()] = scope_;
    scope_node_[model_.names_[n].value()] = n;
  }
  base::BitSet taken(component.nodes().size());
  for (const NamedAt& named : initial_nodes_) {
    if (scope_owner_[named.name.value()] != scope_) {
      fail(fmt::format("unknown initial node {} in component {}", quoted(named.name),
                       quoted(component.name)),
           named.at);
    }
    const NodeId n = scope_node_[named.name.value()];
    if (!taken.insert(n - component.first_node)) {
      fail(fmt::format("duplicate initial node {}", quoted(named.name)), named.at);
    }
    model_.initial_nodes_.push_back(n);
  }
  if (initial_nodes_.empty()) {
    const auto entries = model_.entries(model_.initial_component_);
    model_.initial_nodes_.assign(entries.begin(), entries.end());
  }
  if (model_.initial_nodes_.empty()) {
    fail(fmt::format("no initial node is named and component {} has no entry",
                     quoted(component.name)),
         initial_component_.at);
  }
}

Rsm ModelBuilder::treat_dead_ends(Rsm model, DeadEnds dead_ends) const {
  if (dead_ends == DeadEnds::Keep || dead_ends == DeadEnds::Infinite) {
    return model;
  }
  if (dead_ends == DeadEnds::Loop) {
    return loop_dead_ends(model);
  }
  for (const NodeId n : model.nodes()) {
    if (model.is_dead_end(n)) {
      // Plain nodes arrive in the order of their ids: count those before n.
      std::size_t pending = n - model.component(model.component_of(n)).first_node;
      pending += pending_components_[model.component_of(n).value()].first_node;
      const bool plain = model.kind(n) == NodeKind::Plain;
      fail(fmt::format("'{}' has no successors", model.describe(n)),
           plain ? pending_nodes_[pending].at : pending_boxes_[model.box_of(n).value()].at);
    }
  }
  return model;
}

}  // namespace nestor::model
