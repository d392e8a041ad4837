#include "format/rsm_json/writer.h"

#include "base/json.h"

namespace nestor {

namespace {

class Writer {
 public:
  Writer(const Rsm& model, std::span<const PropId> labels,
         const std::function<void(std::string_view)>& write)
      : model_(model), labels_(props_by_node(model, labels)), write_(write) {
    if (model.names_on_demand()) {
      quote_names();
    }
  }

  void write() {
    raw("{\"initial_component\": ");
    string(model_.component_name(model_.initial_component()));
    // Readers that do not know `initial_nodes` need `initial_node`, even where the entries are
    // meant.
    raw(",\n \"initial_node\": ");
    name(model_.initial_nodes().front());
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
    flush(0);
  }

 private:
  static constexpr std::size_t kEnough = std::size_t{1} << 16;

  static CompressedRows<NodeId, PropId> props_by_node(const Rsm& model,
                                                      std::span<const PropId> labels) {
    CompressedRows<NodeId, PropId> rows(model.node_count());
    for (const PropId p : labels) {
      for (const NodeId n : model.nodes_with(p)) {
        rows.count(n);
      }
    }
    rows.finish_counting();
    for (const PropId p : labels) {
      for (const NodeId n : model.nodes_with(p)) {
        rows.add(n, p);
      }
    }
    return rows;
  }

  /// Names that are made on demand stand at every transition again.
  void quote_names() {
    quoted_ends_.push_back(0);
    for (const NodeId n : model_.nodes()) {
      append_json_string(quoted_, model_.made_names()->fresh(n));
      quoted_ends_.push_back(quoted_.size());
    }
  }

  void flush(std::size_t enough) {
    if (out_.size() > enough) {
      write_({out_.data(), out_.size()});
      out_.clear();
    }
  }

  void name(NodeId n) {
    if (quoted_ends_.empty()) {
      string(model_.node_name(n));
    } else {
      const std::size_t begin = quoted_ends_[n.value()];
      raw({quoted_.data() + begin, quoted_ends_[n.value() + 1] - begin});
    }
  }

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
    list(nodes, [this](NodeId n) { name(n); });
  }

  /// Begins an item on a line of its own.
  void item(bool& first) {
    flush(kEnough);
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
    name(n);
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
    name(n);
    raw("}");
  }

  const Rsm& model_;
  CompressedRows<NodeId, PropId> labels_;
  const std::function<void(std::string_view)>& write_;
  fmt::memory_buffer out_;
  fmt::memory_buffer quoted_;             // all names, if they are made on demand
  std::vector<std::size_t> quoted_ends_;  // where each one ends there, a 0 before the first
};

}  // namespace

std::string write_rsm_json(const Rsm& model) {
  std::string text;
  std::vector<PropId> all(model.props().begin(), model.props().end());
  write_rsm_json(model, all, [&text](std::string_view piece) { text += piece; });
  return text;
}

void write_rsm_json(const Rsm& model, std::span<const PropId> labels,
                    const std::function<void(std::string_view)>& write) {
  Writer(model, labels, write).write();
}

}  // namespace nestor
