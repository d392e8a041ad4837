#include "format/rsm_json/writer.h"

#include "base/json_writer.h"

#include <vector>

namespace nestor::format {

namespace {

class Writer {
 public:
  Writer(const model::Rsm& model, std::span<const model::PropId> labels,
         const std::function<void(std::string_view)>& write)
      : model_(model), labels_(model.props_by_node(labels)), write_(write) {
    if (model.names_on_demand()) {
      quote_names();
    }
  }

  void write() {
    json_.begin_object().member("initial_component",
                                model_.component_name(model_.initial_component()));
    // Readers that do not know `initial_nodes` need `initial_node`, even where the entries are
    // meant.
    json_.line(1).key("initial_node");
    name(model_.initial_nodes().front());
    if (model_.initial_nodes().size() > 1) {
      json_.line(1);
      names("initial_nodes", model_.initial_nodes());
    }
    json_.line(1).begin_array("components");
    for (const model::ComponentId c : model_.components()) {
      json_.line();
      component(c);
    }
    json_.line().end_array().end_object();
    out_ += '\n';
    flush(0);
  }

 private:
  static constexpr std::size_t kEnough = std::size_t{1} << 16;

  /// Names that are made on demand stand at every transition again.
  void quote_names() {
    quoted_ends_.push_back(0);
    for (const model::NodeId n : model_.nodes()) {
      base::append_json_string(quoted_, model_.made_names()->fresh(n));
      quoted_ends_.push_back(quoted_.size());
    }
  }

  void name(model::NodeId n) {
    if (quoted_ends_.empty()) {
      json_.value(model_.node_name(n));
    } else {
      const std::size_t begin = quoted_ends_[n.value()];
      json_.json({quoted_.data() + begin, quoted_ends_[n.value() + 1] - begin});
    }
  }

  void flush(std::size_t enough) {
    if (out_.size() > enough) {
      write_(out_);
      out_.clear();
    }
  }

  void names(std::string_view key, std::span<const model::NodeId> nodes) {
    json_.begin_array(key);
    for (const model::NodeId n : nodes) {
      name(n);
    }
    json_.end_array();
  }

  void component(model::ComponentId c) {
    const model::Component& component = model_.component(c);
    json_.begin_object().member("name", model_.component_name(c));
    json_.line(1).begin_array("nodes");
    for (const model::NodeId n : component.plain_nodes()) {
      node(n);
    }
    json_.end_array().line(1).begin_array("boxes");
    for (const model::BoxId b : component.boxes()) {
      box(b);
    }
    json_.end_array().line(1).begin_array("transitions");
    for (const model::NodeId n : component.nodes()) {
      if (!model_.successors(n).empty()) {
        transitions(n);
      }
    }
    json_.end_array().end_object();
  }

  void node(model::NodeId n) {
    flush(kEnough);
    json_.line(2).begin_object().key("name");
    name(n);
    json_.begin_array("labels");
    for (const model::PropId p : labels_[n]) {
      json_.value(model_.prop_name(p));
    }
    json_.end_array();
    json_.member("is_entry", model_.is_entry(n)).member("is_exit", model_.is_exit(n));
    if (const std::optional<model::NodePosition> position = model_.position(n)) {
      json_.member("file", model_.string(position->file));
      if (position->line != 0) {
        json_.member("line", position->line);
      }
    }
    json_.end_object();
  }

  void box(model::BoxId b) {
    const model::ComponentId callee = model_.box(b).callee;
    json_.line(2).begin_object().member("name", model_.box_name(b));
    json_.member("component", model_.component_name(callee));
    names("call_nodes", model_.entries(callee));
    names("return_nodes", model_.exits(callee));
    json_.end_object();
  }

  void transitions(model::NodeId from) {
    flush(kEnough);
    json_.line(2).begin_object().key("source");
    reference(from);
    json_.begin_array("targets");
    for (const model::NodeId to : model_.successors(from)) {
      reference(to);
    }
    json_.end_array().end_object();
  }

  void reference(model::NodeId n) {
    json_.begin_object();
    if (model_.kind(n) == model::NodeKind::Plain) {
      json_.member("type", "node").key("name");
    } else {
      json_.member("type", "box_node").member("box_name", model_.box_name(model_.box_of(n)));
      json_.key("node_name");
    }
    name(n);
    json_.end_object();
  }

  const model::Rsm& model_;
  base::CompressedRows<model::NodeId, model::PropId> labels_;
  const std::function<void(std::string_view)>& write_;
  std::string quoted_;                    // all names, if they are made on demand
  std::vector<std::size_t> quoted_ends_;  // where each one ends there, a 0 before the first
  std::string out_;
  base::JsonWriter json_{out_, base::JsonWriter::Spaces::BehindSeparators};
};

}  // namespace

std::string write_rsm_json(const model::Rsm& model) {
  std::string text;
  const std::vector<model::PropId> all(model.props().begin(), model.props().end());
  write_rsm_json(model, all, [&text](std::string_view piece) { text += piece; });
  return text;
}

void write_rsm_json(const model::Rsm& model, std::span<const model::PropId> labels,
                    const std::function<void(std::string_view)>& write) {
  Writer(model, labels, write).write();
}

}  // namespace nestor::format
