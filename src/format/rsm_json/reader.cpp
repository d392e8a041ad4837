// RSM JSON by simdjson's on-demand interface: one pass over the file, each item handed to the
// builder as soon as it is complete. Nothing is kept of the file but offsets for messages.

#include "format/rsm_json/reader.h"

#include "base/json_reader.h"

#include <fmt/format.h>

#include <array>

namespace nestor::format {

namespace {

namespace ondemand = simdjson::ondemand;

enum ModelKey : std::uint8_t { kInitialComponent, kComponents, kInitialNode, kInitialNodes };
constexpr base::JsonShape<4> kModel = {
    "model", {"initial_component", "components", "initial_node", "initial_nodes"}, 0b0011};

enum ComponentKey : std::uint8_t { kComponentName, kNodes, kBoxes, kTransitions };
constexpr base::JsonShape<4> kComponent = {
    "component", {"name", "nodes", "boxes", "transitions"}, 0b1111};

enum NodeKey : std::uint8_t { kNodeName, kLabels, kIsEntry, kIsExit, kFile, kLine };
constexpr base::JsonShape<6> kNode = {
    "node", {"name", "labels", "is_entry", "is_exit", "file", "line"}, 0b001111};

enum BoxKey : std::uint8_t { kBoxName, kCallee, kCallNodes, kReturnNodes };
constexpr base::JsonShape<4> kBox = {
    "box", {"name", "component", "call_nodes", "return_nodes"}, 0b1111};

enum TransitionKey : std::uint8_t { kSource, kTargets };
constexpr base::JsonShape<2> kTransition = {"transition", {"source", "targets"}, 0b11};

enum RefKey : std::uint8_t { kType, kRefName, kRefBox, kRefBoxNode };
constexpr base::JsonShape<4> kRef = {
    "reference", {"type", "name", "box_name", "node_name"}, 0b0001};
constexpr std::uint32_t kNodeRefNeeds = 1U << kRefName;
constexpr std::uint32_t kBoxNodeRefNeeds = 1U << kRefBox | 1U << kRefBoxNode;

struct Reference {
  model::ModelBuilder::Ref ref;
  base::Offset at = 0;
};

class Reader : private base::JsonReader {
 public:
  explicit Reader(const base::Input& input)
      : base::JsonReader(input),
        builder_(input.name(), [&input](base::Offset at) { return input.locate(at); }) {}

  model::Rsm read(model::DeadEnds dead_ends);

 private:
  // The format.
  void read_model(ondemand::object object, base::Offset at);
  void read_component(Value& value);
  void read_node(Value& value);
  void read_box(Value& value);
  void read_transition(Value& value);
  Reference read_reference(Value& value);
  void name_initial_nodes(const base::JsonText& one, bool has_list, base::Offset list_at);

  model::ModelBuilder builder_;
  // Of the item being read, kept between items to save allocations.
  std::vector<base::JsonText> labels_;
  std::vector<base::JsonText> call_nodes_;
  std::vector<base::JsonText> return_nodes_;
  std::vector<Reference> targets_;
  std::vector<base::JsonText> initial_nodes_;
};

model::Rsm Reader::read(model::DeadEnds dead_ends) {
  const Object object = begin();
  read_model(object, static_cast<base::Offset>(input_.text().find('{')));
  end();
  return builder_.finish(dead_ends);
}

void Reader::read_model(ondemand::object object, base::Offset at) {
  base::JsonText initial_node;
  base::Offset initial_nodes_at = 0;
  const std::uint32_t seen = for_each_member(object, kModel, [&](std::size_t key, Value& value) {
    switch (key) {
      case kInitialComponent: {
        const base::JsonText component = name(value, "'initial_component'");
        builder_.initial_component(component.text, component.at);
        break;
      }
      case kInitialNode:
        initial_node = name(value, "'initial_node'");
        break;
      case kInitialNodes:
        initial_nodes_at = offset(value);
        texts(value, "'initial_nodes'", initial_nodes_);
        break;
      default:
        read_array(value, "'components'", [this](Value& item) { read_component(item); });
    }
  });
  require(seen, kModel.required, kModel, at);
  name_initial_nodes(initial_node, (seen >> kInitialNodes & 1) != 0, initial_nodes_at);
}

void Reader::name_initial_nodes(const base::JsonText& one, bool has_list, base::Offset list_at) {
  if (!has_list) {
    if (!one.text.empty()) {
      builder_.initial_node(one.text, one.at);
    }
    return;
  }
  if (initial_nodes_.empty()) {
    fail("'initial_nodes' is empty, expected at least one name", list_at);
  }
  if (!one.text.empty() && one.text != initial_nodes_.front().text) {
    fail(fmt::format("'initial_node' is '{}', expected '{}', the first of 'initial_nodes'",
                     one.text, initial_nodes_.front().text),
         one.at);
  }
  for (const base::JsonText& node : initial_nodes_) {
    builder_.initial_node(node.text, node.at);
  }
}

void Reader::read_component(Value& value) {
  builder_.component({}, offset(value));
  read_object(value, kComponent, [this](std::size_t key, Value& member) {
    switch (key) {
      case kComponentName: {
        const base::JsonText component = name(member, "'name'");
        builder_.rename_component(component.text, component.at);
        break;
      }
      case kNodes:
        read_array(member, "'nodes'", [this](Value& item) { read_node(item); });
        break;
      case kBoxes:
        read_array(member, "'boxes'", [this](Value& item) { read_box(item); });
        break;
      default:
        read_array(member, "'transitions'", [this](Value& item) { read_transition(item); });
    }
  });
}

void Reader::read_node(Value& value) {
  model::ModelBuilder::Node node;
  base::Offset at = 0;
  base::Offset line_at = 0;
  read_object(value, kNode, [&](std::size_t key, Value& member) {
    switch (key) {
      case kNodeName: {
        const base::JsonText found = name(member, "'name'");
        node.name = found.text;
        at = found.at;
        break;
      }
      case kLabels:
        texts(member, "'labels'", labels_);
        break;
      case kIsEntry:
        node.is_entry = boolean(member, "'is_entry'");
        break;
      case kIsExit:
        node.is_exit = boolean(member, "'is_exit'");
        break;
      case kFile:
        node.file = name(member, "'file'").text;
        break;
      default:
        line_at = offset(member);
        node.line = number(member, "'line'", 1, "a positive integer");
    }
  });
  if (node.line != 0 && node.file.empty()) {
    fail("'line' without 'file'", line_at);
  }
  builder_.node(node, at);
  for (const base::JsonText& label : labels_) {
    builder_.label(label.text);
  }
}

void Reader::read_box(Value& value) {
  base::JsonText box;
  base::JsonText callee;
  read_object(value, kBox, [&](std::size_t key, Value& member) {
    switch (key) {
      case kBoxName:
        box = name(member, "'name'");
        break;
      case kCallee:
        callee = name(member, "'component'");
        break;
      case kCallNodes:
        texts(member, "'call_nodes'", call_nodes_);
        break;
      default:
        texts(member, "'return_nodes'", return_nodes_);
    }
  });
  builder_.box(box.text, callee.text, box.at, callee.at);
  builder_.list_box_nodes();
  for (const base::JsonText& node : call_nodes_) {
    builder_.call_node(node.text, node.at);
  }
  for (const base::JsonText& node : return_nodes_) {
    builder_.return_node(node.text, node.at);
  }
}

void Reader::read_transition(Value& value) {
  Reference source;
  targets_.clear();
  read_object(value, kTransition, [&](std::size_t key, Value& member) {
    if (key == kSource) {
      source = read_reference(member);
      return;
    }
    read_array(member, "'targets'",
               [this](Value& item) { targets_.push_back(read_reference(item)); });
  });
  builder_.source(source.ref, source.at);
  for (const Reference& target : targets_) {
    builder_.target(target.ref, target.at);
  }
}

Reference Reader::read_reference(Value& value) {
  const base::Offset at = offset(value);
  std::array<base::JsonText, kRef.keys.size()> members;
  const std::uint32_t seen = read_object(value, kRef, [&](std::size_t key, Value& member) {
    static constexpr std::array kQuoted = {"'type'", "'name'", "'box_name'", "'node_name'"};
    members[key] = text(member, kQuoted[key]);
  });
  if (members[kType].text == "node") {
    require(seen, kNodeRefNeeds, kRef, at);
    return {model::ModelBuilder::Ref::node(members[kRefName].text), members[kRefName].at};
  }
  if (members[kType].text == "box_node") {
    require(seen, kBoxNodeRefNeeds, kRef, at);
    return {model::ModelBuilder::Ref::box_node(members[kRefBox].text, members[kRefBoxNode].text),
            at};
  }
  fail(fmt::format("unknown type '{}', expected 'node' or 'box_node'", members[kType].text),
       members[kType].at);
}

}  // namespace

model::Rsm read_rsm_json(const base::Input& input, model::DeadEnds dead_ends) {
  return Reader(input).read(dead_ends);
}

}  // namespace nestor::format
