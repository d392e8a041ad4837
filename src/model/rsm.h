#pragma once

#include "base/compressed_rows.h"
#include "base/debug_assert.h"
#include "base/id.h"
#include "base/string_pool.h"
#include "model/late_predecessors.h"
#include "model/node_names.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::model {

using BoxId = base::Id<struct BoxTag>;
using ComponentId = base::Id<struct ComponentTag>;
using PropId = base::Id<struct PropTag>;

/// One procedure. Its nodes have contiguous ids: first the plain nodes, in the order of the input,
/// then for each box its call nodes and its return nodes.
struct Component {
  base::StringId name;
  NodeId first_node;
  NodeId plain_end;  ///< one past the last plain node, where the box nodes begin
  NodeId node_end;   ///< one past the last node
  BoxId first_box;
  BoxId box_end;

  base::IdRange<NodeId> nodes() const { return {first_node, node_end}; }
  base::IdRange<NodeId> plain_nodes() const { return {first_node, plain_end}; }
  base::IdRange<BoxId> boxes() const { return {first_box, box_end}; }
};

/// A call. Call node i stands for the callee's entry i, return node i for its exit i.
struct Box {
  base::StringId name;
  ComponentId owner;
  ComponentId callee;
  NodeId first_call;
  NodeId first_return;
  NodeId node_end;
  std::uint32_t first_origin = 0;  ///< where Rsm keeps the origins of its nodes

  base::IdRange<NodeId> call_nodes() const { return {first_call, first_return}; }
  base::IdRange<NodeId> return_nodes() const { return {first_return, node_end}; }
};

enum class NodeKind : std::uint8_t { Plain, Call, Return };

/// Where a node comes from in the program that the model was made of.
struct NodePosition {
  base::StringId file;
  std::uint32_t line = 0;
};

struct FiniteParts;

/// A recursive state machine (docs/semantics.md), immutable; made by ModelBuilder.
///
/// Only plain nodes have names, labels and positions of their own. A call node is the callee's
/// entry and a return node the callee's exit: origin() leads there. Transitions leave plain nodes
/// and return nodes and lead to plain nodes and call nodes, so call nodes have no successors and
/// return nodes no predecessors here.
class Rsm {
 public:
  std::size_t component_count() const { return components_.size(); }
  std::size_t node_count() const { return flags_.size(); }  ///< box nodes included
  std::size_t plain_node_count() const { return plain_node_count_; }
  std::size_t box_count() const { return boxes_.size(); }
  std::size_t transition_count() const { return successors_.item_count(); }
  std::size_t prop_count() const { return prop_names_.size(); }

  base::IdRange<ComponentId> components() const { return components_.ids(); }
  base::IdRange<BoxId> boxes() const { return boxes_.ids(); }
  base::IdRange<PropId> props() const { return prop_names_.ids(); }
  base::IdRange<NodeId> nodes() const { return {NodeId(0), NodeId(node_count())}; }
  const Component& component(ComponentId c) const { return components_[c]; }
  const Box& box(BoxId b) const { return boxes_[b]; }

  std::span<const NodeId> entries(ComponentId c) const { return entries_[c]; }
  std::span<const NodeId> exits(ComponentId c) const { return exits_[c]; }
  /// The boxes, anywhere, that call `c`.
  std::span<const BoxId> callers(ComponentId c) const { return callers_[c]; }

  /// In the order of the input; the same target twice if the input says so.
  std::span<const NodeId> successors(NodeId n) const { return successors_[n]; }
  /// Of a graph that was explored, all are found when the first is asked for, which takes a while
  /// and memory: engines that go forwards need none.
  std::span<const NodeId> predecessors(NodeId n) const {
    return (late_predecessors_ == nullptr ? predecessors_
                                          : late_predecessors_->get(successors_))[n];
  }

  ComponentId component_of(NodeId n) const { return component_of_[n]; }
  NodeKind kind(NodeId n) const {
    const std::uint8_t flags = flags_[n];
    if ((flags & (kCall | kReturn)) == 0) {
      return NodeKind::Plain;
    }
    return (flags & kCall) != 0 ? NodeKind::Call : NodeKind::Return;
  }
  bool is_entry(NodeId n) const { return (flags_[n] & kEntry) != 0; }  ///< false for box nodes
  bool is_exit(NodeId n) const { return (flags_[n] & kExit) != 0; }    ///< false for box nodes
  /// The box of a call or return node.
  BoxId box_of(NodeId box_node) const {
    NESTOR_DEBUG_ASSERT(kind(box_node) != NodeKind::Plain);
    return BoxId(names_[box_node].value());
  }
  /// The callee's entry of a call node, the callee's exit of a return node, a plain node itself.
  NodeId origin(NodeId n) const {
    if (kind(n) == NodeKind::Plain) {
      return n;
    }
    const Box& box = boxes_[box_of(n)];
    return origins_[box.first_origin + (n - box.first_call)];
  }
  /// Position of an entry among entries(component), of an exit among exits(component).
  std::uint32_t entry_index(NodeId entry) const;
  std::uint32_t exit_index(NodeId exit) const;
  /// A plain node without successors that is no exit, or a return node without successors whose
  /// exit has no local successors: a path that gets there ends (docs/semantics.md).
  bool is_dead_end(NodeId n) const;

  ComponentId initial_component() const { return initial_component_; }
  std::span<const NodeId> initial_nodes() const { return initial_nodes_; }
  /// True if the input named the initial nodes; else they are the initial component's entries.
  bool initial_nodes_named() const { return initial_nodes_named_; }

  /// Not valid if no node carries the proposition.
  PropId find_prop(std::string_view name) const;
  std::string_view prop_name(PropId p) const { return strings_[prop_names_[p]]; }
  /// The plain nodes that carry `p`, ascending.
  std::span<const NodeId> nodes_with(PropId p) const { return nodes_with_[p]; }
  /// The labels the other way round: plain node → its propositions, ascending. Built anew.
  base::CompressedRows<NodeId, PropId> props_by_node() const { return props_by_node(props()); }
  /// Those of `wanted`, in that order.
  template <class Props>
  base::CompressedRows<NodeId, PropId> props_by_node(const Props& wanted) const {
    base::CompressedRows<NodeId, PropId> rows(node_count());
    for (const PropId p : wanted) {
      for (const NodeId n : nodes_with(p)) {
        rows.count(n);
      }
    }
    rows.finish_counting();
    for (const PropId p : wanted) {
      for (const NodeId n : nodes_with(p)) {
        rows.add(n, p);
      }
    }
    return rows;
  }
  /// The same for one node, found by looking at every proposition.
  std::vector<PropId> props_of(NodeId plain) const;

  std::string_view component_name(ComponentId c) const { return strings_[components_[c].name]; }
  std::string_view box_name(BoxId b) const { return strings_[boxes_[b].name]; }
  /// The name of a plain node; of a box node, the name of the callee's node. Where names are made
  /// on demand, the first call for a node stores its name.
  std::string_view node_name(NodeId n) const {
    return node_names_ == nullptr ? strings_[names_[origin(n)]] : node_names_->name(n);
  }
  /// True if names describe states that were explored.
  bool names_on_demand() const { return node_names_ != nullptr; }
  /// What makes them; null if they are stored.
  const NodeNames* made_names() const { return node_names_.get(); }
  /// A part of a state that was explored, as formulas name it: the tokens in a place, say. Nothing
  /// if there is none.
  std::optional<std::string> part(NodeId n, std::string_view name) const;
  /// What happens in a step between two states that were explored, and what it changes; nothing if
  /// steps have no names.
  std::optional<StepName> step(NodeId from, NodeId to) const;
  std::string change(NodeId from, NodeId to) const;
  /// For people: `component.node`, `component.box.node` for a box node; the name alone where names
  /// are made on demand.
  std::string describe(NodeId n) const;
  std::optional<NodePosition> position(NodeId plain) const;
  std::string_view string(base::StringId id) const { return strings_[id]; }

  /// Machines with one identity have the same nodes, boxes and transitions. No two that were built
  /// have the same; 0 for the empty one.
  std::uint64_t identity() const { return identity_; }

  /// What the arrays take, names aside.
  std::size_t memory_bytes() const;
  /// What the names take.
  std::size_t name_bytes() const { return strings_.memory_bytes(); }

 private:
  friend class ModelBuilder;
  friend Rsm make_finite_rsm(FiniteParts parts);
  friend void start_at(Rsm& model, std::string_view place, std::string_view name);
  friend void add_propositions(Rsm& model, std::span<const std::string> propositions,
                               base::CompressedRows<PropId, NodeId> rows);

  static std::uint64_t new_identity();

  static constexpr std::uint8_t kEntry = 1;
  static constexpr std::uint8_t kExit = 2;
  static constexpr std::uint8_t kCall = 4;
  static constexpr std::uint8_t kReturn = 8;
  static constexpr std::uint8_t kListed = 16;  // a box node that transitions may use; for building

  base::IdVector<ComponentId, Component> components_;
  base::IdVector<BoxId, Box> boxes_;
  base::CompressedRows<ComponentId, NodeId> entries_;
  base::CompressedRows<ComponentId, NodeId> exits_;
  base::CompressedRows<ComponentId, BoxId> callers_;
  base::CompressedRows<NodeId, NodeId> successors_;
  base::CompressedRows<NodeId, NodeId> predecessors_;
  std::shared_ptr<LatePredecessors> late_predecessors_;  // instead, if not null
  base::CompressedRows<PropId, NodeId> nodes_with_;
  // Of box nodes, box by box: entries and exits of other components, found without going there,
  // which for large models is a cache miss or two for each call.
  std::vector<NodeId> origins_;
  base::IdVector<NodeId, ComponentId> component_of_;
  base::IdVector<NodeId, base::StringId>
      names_;  // of a plain node; of a box node, its box id in disguise
  base::IdVector<NodeId, std::uint8_t> flags_;
  base::IdVector<NodeId, NodePosition> positions_;  // empty if the input has none
  base::IdVector<PropId, base::StringId> prop_names_;
  std::vector<std::uint32_t>
      prop_of_string_;  // by StringId; Id::kInvalid where it is no proposition
  ComponentId initial_component_;
  std::vector<NodeId> initial_nodes_;
  bool initial_nodes_named_ = false;
  std::size_t plain_node_count_ = 0;
  base::StringPool strings_;
  std::shared_ptr<const NodeNames> node_names_;  // null: the names are in `names_`
  std::uint64_t identity_ = 0;
};

}  // namespace nestor::model
