#include "format/rsm_json/writer.h"

#include "base/json.h"

namespace nestor {

namespace {

class Writer {
 public:
  explicit Writer(const Rsm& model) : model_(model), labels_(model.props_by_node()) {}

  std::string write() {
    raw("{\"initial_component\": ");
    string(model_.component_name(model_.initial_component()));
    // Readers that do not know `initial_nodes` need `initial_node`, even where the entries are
    // meant.
    raw(",\n \"initial_node\": ");
    string(model_.node_name(model_.initial_nodes().front()));
    if (model_.initial_nodes().size() > 1) {
      raw(",\n \"initial_nodes\": ");
      names(model_.initial_nodes());
    }
    raw(",\n \"components\": [");
    const char* separator = "\n";
    for (const ComponentId c : model_.components()) {
      raw(separator);
      component(c);
      separator = ",\n";
    }
    raw("\n]}\n");
    return fmt::to_string(out_);
  }

 private:
  void raw(std::string_view text) { out_.append(text.data(), text.data() + text.size()); }
  void string(std::string_view text) { append_json_string(out_, text); }

  template <class Items, class Write>
  void list(const Items& items, Write write) {
    raw("[");
    const char* separator = "";
    for (const auto item : items) {
      raw(separator);
      write(item);
      separator = ", ";
    }
    raw("]");
  }

  void names(std::span<const NodeId> nodes) {
    list(nodes, [this](NodeId n) { string(model_.node_name(n)); });
  }

  /// Begins an item on a line of its own.
  void item(bool& first) {
    raw(first ? "\n  " : ",\n  ");
    first = false;
  }

  void component(ComponentId c) {
    const Component& component = model_.component(c);
    raw("{\"name\": ");
    string(model_.component_name(c));
    raw(",\n \"nodes\": [");
    bool first = true;
    for (const NodeId n : component.plain_nodes()) {
      item(first);
      node(n);
    }
    raw("],\n \"boxes\": [");
    first = true;
    for (const BoxId b : component.boxes()) {
      item(first);
      box(b);
    }
    raw("],\n \"transitions\": [");
    first = true;
    for (const NodeId n : component.nodes()) {
      if (!model_.successors(n).empty()) {
        item(first);
        transitions(n);
      }
    }
    raw("]}");
  }

  void node(NodeId n) {
    raw("{\"name\": ");
    string(model_.node_name(n));
    raw(", \"labels\": ");
    list(labels_[n], [this](PropId p) { string(model_.prop_name(p)); });
    raw(model_.is_entry(n) ? ", \"is_entry\": true" : ", \"is_entry\": false");
    raw(model_.is_exit(n) ? ", \"is_exit\": true" : ", \"is_exit\": false");
    if (const std::optional<NodePosition> position = model_.position(n)) {
      raw(", \"file\": ");
      string(model_.string(position->file));
      if (position->line != 0) {
        fmt::format_to(std::back_inserter(out_), ", \"line\": {}", position->line);
      }
    }
    raw("}");
  }

  void box(BoxId b) {
    const ComponentId callee = model_.box(b).callee;
    raw("{\"name\": ");
    string(model_.box_name(b));
    raw(", \"component\": ");
    string(model_.component_name(callee));
    raw(", \"call_nodes\": ");
    names(model_.entries(callee));
    raw(", \"return_nodes\": ");
    names(model_.exits(callee));
    raw("}");
  }

  void transitions(NodeId from) {
    raw("{\"source\": ");
    reference(from);
    raw(", \"targets\": ");
    list(model_.successors(from), [this](NodeId to) { reference(to); });
    raw("}");
  }

  void reference(NodeId n) {
    if (model_.kind(n) == NodeKind::Plain) {
      raw("{\"type\": \"node\", \"name\": ");
    } else {
      raw("{\"type\": \"box_node\", \"box_name\": ");
      string(model_.box_name(model_.box_of(n)));
      raw(", \"node_name\": ");
    }
    string(model_.node_name(n));
    raw("}");
  }

  const Rsm& model_;
  CompressedRows<NodeId, PropId> labels_;
  fmt::memory_buffer out_;
};

}  // namespace

std::string write_rsm_json(const Rsm& model) {
  return Writer(model).write();
}

}  // namespace nestor
