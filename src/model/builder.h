#pragma once

#include "base/error.h"
#include "base/input.h"
#include "model/rsm.h"

#include <cstdint>
#include <functional>
#include <nestor/settings.h>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::model {

using nestor::DeadEnds;

/// Takes a model piece by piece, in any order within a component, and checks every well-formedness
/// rule once for all formats. Names are resolved in finish(), so a piece may name what comes later.
///
///     ModelBuilder builder("two.rsm");
///     builder.component("main");
///     builder.node({.name = "start", .is_entry = true});
///     builder.node({.name = "end", .is_exit = true});
///     builder.box("call_f", "f");
///     builder.transition(Ref::node("start"), Ref::box_node("call_f", "f_in"));
///     builder.transition(Ref::box_node("call_f", "f_out"), Ref::node("end"));
///     builder.component("f");  …
///     builder.initial_component("main");
///     Rsm model = builder.finish();
class ModelBuilder {
 public:
  struct Node {
    std::string_view name;
    bool is_entry = false;
    bool is_exit = false;
    std::string_view file = {};  ///< source position; empty: unknown
    std::uint32_t line = 0;
  };
  /// How a transition names its ends.
  struct Ref {
    std::string_view box;
    std::string_view name;
    bool in_box = false;

    static Ref node(std::string_view name) { return {{}, name, false}; }
    /// The call or return node of `box` for the callee's node `name`.
    static Ref box_node(std::string_view box, std::string_view name) { return {box, name, true}; }
  };

  /// `file` is for error messages; `locate` turns offsets into line and column.
  explicit ModelBuilder(std::string file,
                        std::function<base::SourceLocation(base::Offset)> locate = nullptr);

  // Pieces belong to the component begun last.
  void component(std::string_view name, base::Offset at = 0);
  /// Names the component begun last, for readers that meet the name after other pieces.
  void rename_component(std::string_view name, base::Offset at = 0);
  void node(const Node& node, base::Offset at = 0);
  /// Labels the node added last.
  void label(std::string_view proposition);
  /// A box with a call node for each entry and a return node for each exit of the callee.
  void box(std::string_view name, std::string_view callee, base::Offset at = 0,
           base::Offset callee_at = 0);
  /// Restricts the box added last to call and return nodes that are listed.
  void list_box_nodes();
  void call_node(std::string_view entry, base::Offset at = 0);
  void return_node(std::string_view exit, base::Offset at = 0);
  /// The source of the transitions whose targets follow. A source without targets is legal, for a
  /// box node even if there is no such return node: converters write call nodes this way.
  void source(const Ref& source, base::Offset at = 0);
  void target(const Ref& target, base::Offset at = 0);
  void transition(const Ref& from, const Ref& to, base::Offset at = 0) {
    source(from, at);
    target(to, at);
  }

  void initial_component(std::string_view name, base::Offset at = 0);
  /// Without any: the entries of the initial component.
  void initial_node(std::string_view name, base::Offset at = 0);

  /// Throws Error for a model that is not well-formed. Call once.
  Rsm finish(DeadEnds dead_ends = DeadEnds::Keep);

 private:
  struct PendingComponent {
    base::StringId name;
    base::Offset at = 0;
    std::uint32_t first_node = 0;  // its pieces end where the next component's begin
    std::uint32_t first_box = 0;
    std::uint32_t first_source = 0;
  };
  struct PendingNode {
    base::StringId name;
    base::Offset at = 0;
    std::uint32_t first_label = 0;
    bool is_entry = false;
    bool is_exit = false;
  };
  struct PendingBox {
    base::StringId name;
    base::StringId callee;
    base::Offset at = 0;
    base::Offset callee_at = 0;
    bool listed = false;  // only the call and return nodes named below exist
    std::uint32_t first_call = 0;
    std::uint32_t first_return = 0;
  };
  struct PendingRef {
    base::StringId box;  // not valid for a plain node
    base::StringId name;
    base::Offset at = 0;
  };
  struct PendingSource {
    PendingRef ref;
    std::uint32_t first_target = 0;
  };
  struct NamedAt {
    base::StringId name;
    base::Offset at = 0;
  };
  struct NamedIndex {
    base::StringId name;
    std::uint32_t index = 0;
  };
  struct Edge {
    NodeId from;
    NodeId to;
  };

  [[noreturn]] void fail(const std::string& message, base::Offset at) const;
  std::string quoted(base::StringId name) const;
  PendingRef pending(const Ref& ref, base::Offset at);
  template <class Pending>
  static std::uint32_t end_of(const std::vector<PendingComponent>& all, std::size_t i,
                              std::uint32_t PendingComponent::*first,
                              const std::vector<Pending>& items);

  void resolve_component_names();
  void place_entries_and_exits();
  void place_boxes();
  void place_nodes();
  void check_box_lists();
  void check_listed(BoxId box, const std::vector<NamedAt>& listed, std::uint32_t first,
                    std::uint32_t last, bool calls);
  void resolve_transitions();
  void resolve_component_transitions(ComponentId component, std::vector<Edge>& edges);
  NodeId resolve_source(const PendingSource& source, bool has_targets) const;
  NodeId resolve_target(const PendingRef& target) const;
  NodeId resolve_plain(const PendingRef& ref) const;
  BoxId resolve_box(const PendingRef& ref) const;
  void index_labels();
  void resolve_initial_nodes();
  Rsm treat_dead_ends(Rsm model, DeadEnds dead_ends) const;
  static void sort_by_name(std::vector<NamedIndex>& names);
  std::uint32_t find_index(ComponentId component, base::StringId name, bool entries) const;

  std::string file_;
  std::function<base::SourceLocation(base::Offset)> locate_;
  std::vector<PendingComponent> pending_components_;
  std::vector<PendingNode> pending_nodes_;
  std::vector<NodePosition> pending_positions_;  // as long as the last node with a position
  std::vector<base::StringId> pending_labels_;
  std::vector<PendingBox> pending_boxes_;
  std::vector<NamedAt> pending_calls_;
  std::vector<NamedAt> pending_returns_;
  std::vector<PendingSource> pending_sources_;
  std::vector<PendingRef> pending_targets_;
  NamedAt initial_component_;
  std::vector<NamedAt> initial_nodes_;

  // Filled by finish(). The scope_* arrays, by StringId, say what a name means in the component
  // whose transitions are being resolved; an entry counts only if its owner is that component.
  ComponentId scope_;
  std::vector<ComponentId> component_of_string_;
  std::vector<ComponentId> scope_owner_;
  std::vector<NodeId> scope_node_;
  std::vector<ComponentId> scope_box_owner_;
  std::vector<BoxId> scope_box_;
  base::IdVector<ComponentId, std::vector<NamedIndex>> entry_names_;  // sorted by name
  base::IdVector<ComponentId, std::vector<NamedIndex>> exit_names_;
  std::vector<Edge> edges_;
  Rsm model_;
};

}  // namespace nestor::model
