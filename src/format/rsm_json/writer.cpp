#include "format/rsm_json/writer.h"

#include "base/json_writer.h"

namespace nestor {

namespace {

class Writer {
 public:
  explicit Writer(const Rsm& model) : model_(model), labels_(model.props_by_node()) {}

  std::string write() {
    // Room for most models at once: to grow is to copy.
    out_.reserve(64 * (model_.node_count() + model_.transition_count()));
    json_.begin_object().member("initial_component",
                                model_.component_name(model_.initial_component()));
    // Readers that do not know `initial_nodes` need `initial_node`, even where the entries are
    // meant.
    json_.line(1).member("initial_node", model_.node_name(model_.initial_nodes().front()));
    if (model_.initial_nodes().size() > 1) {
      json_.line(1);
      names("initial_nodes", model_.initial_nodes());
    }
    json_.line(1).begin_array("components");
    for (const ComponentId c : model_.components()) {
      json_.line();
      component(c);
    }
    json_.line().end_array().end_object();
    out_ += '\n';
    return std::move(out_);
  }

 private:
  void names(std::string_view key, std::span<const NodeId> nodes) {
    json_.begin_array(key);
    for (const NodeId n : nodes) {
      json_.value(model_.node_name(n));
    }
    json_.end_array();
  }

  void component(ComponentId c) {
    const Component& component = model_.component(c);
    json_.begin_object().member("name", model_.component_name(c));
    json_.line(1).begin_array("nodes");
    for (const NodeId n : component.plain_nodes()) {
      node(n);
    }
    json_.end_array().line(1).begin_array("boxes");
    for (const BoxId b : component.boxes()) {
      box(b);
    }
    json_.end_array().line(1).begin_array("transitions");
    for (const NodeId n : component.nodes()) {
      if (!model_.successors(n).empty()) {
        transitions(n);
      }
    }
    json_.end_array().end_object();
  }

  void node(NodeId n) {
    json_.line(2).begin_object().member("name", model_.node_name(n)).begin_array("labels");
    for (const PropId p : labels_[n]) {
      json_.value(model_.prop_name(p));
    }
    json_.end_array();
    json_.member("is_entry", model_.is_entry(n)).member("is_exit", model_.is_exit(n));
    if (const std::optional<NodePosition> position = model_.position(n)) {
      json_.member("file", model_.string(position->file));
      if (position->line != 0) {
        json_.member("line", position->line);
      }
    }
    json_.end_object();
  }

  void box(BoxId b) {
    const ComponentId callee = model_.box(b).callee;
    json_.line(2).begin_object().member("name", model_.box_name(b));
    json_.member("component", model_.component_name(callee));
    names("call_nodes", model_.entries(callee));
    names("return_nodes", model_.exits(callee));
    json_.end_object();
  }

  void transitions(NodeId from) {
    json_.line(2).begin_object().key("source");
    reference(from);
    json_.begin_array("targets");
    for (const NodeId to : model_.successors(from)) {
      reference(to);
    }
    json_.end_array().end_object();
  }

  void reference(NodeId n) {
    json_.begin_object();
    if (model_.kind(n) == NodeKind::Plain) {
      json_.member("type", "node").member("name", model_.node_name(n));
    } else {
      json_.member("type", "box_node").member("box_name", model_.box_name(model_.box_of(n)));
      json_.member("node_name", model_.node_name(n));
    }
    json_.end_object();
  }

  const Rsm& model_;
  CompressedRows<NodeId, PropId> labels_;
  std::string out_;
  JsonWriter json_{out_, JsonWriter::Spaces::BehindSeparators};
};

}  // namespace

std::string write_rsm_json(const Rsm& model) {
  return Writer(model).write();
}

}  // namespace nestor
