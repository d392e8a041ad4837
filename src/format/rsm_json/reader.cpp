// RSM JSON by simdjson's on-demand interface: one pass over the file, each item handed to the
// builder as soon as it is complete. Nothing is kept of the file but offsets for messages.

#include "format/rsm_json/reader.h"

#include "format/rsm_json/syntax.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <cstring>
#include <limits>

namespace nestor {

namespace {

namespace ondemand = simdjson::ondemand;

static_assert(Input::kPadding >= simdjson::SIMDJSON_PADDING);

/// What an object may hold. Keys are referred to by their place in `keys`.
template <std::size_t kCount>
struct Shape {
  const char* what;  ///< for messages
  std::array<std::string_view, kCount> keys;
  std::uint32_t required;  ///< one bit for each key
};

enum ModelKey : std::uint8_t { kInitialComponent, kComponents, kInitialNode, kInitialNodes };
constexpr Shape<4> kModel = {
    "model", {"initial_component", "components", "initial_node", "initial_nodes"}, 0b0011};

enum ComponentKey : std::uint8_t { kComponentName, kNodes, kBoxes, kTransitions };
constexpr Shape<4> kComponent = {"component", {"name", "nodes", "boxes", "transitions"}, 0b1111};

enum NodeKey : std::uint8_t { kNodeName, kLabels, kIsEntry, kIsExit, kFile, kLine };
constexpr Shape<6> kNode = {
    "node", {"name", "labels", "is_entry", "is_exit", "file", "line"}, 0b001111};

enum BoxKey : std::uint8_t { kBoxName, kCallee, kCallNodes, kReturnNodes };
constexpr Shape<4> kBox = {"box", {"name", "component", "call_nodes", "return_nodes"}, 0b1111};

enum TransitionKey : std::uint8_t { kSource, kTargets };
constexpr Shape<2> kTransition = {"transition", {"source", "targets"}, 0b11};

enum RefKey : std::uint8_t { kType, kRefName, kRefBox, kRefBoxNode };
constexpr Shape<4> kRef = {"reference", {"type", "name", "box_name", "node_name"}, 0b0001};
constexpr std::uint32_t kNodeRefNeeds = 1U << kRefName;
constexpr std::uint32_t kBoxNodeRefNeeds = 1U << kRefBox | 1U << kRefBoxNode;

/// A string of the file and where it begins.
struct Text {
  std::string_view text;
  Offset at = 0;
};

struct Reference {
  ModelBuilder::Ref ref;
  Offset at = 0;
};

class Reader {
 public:
  explicit Reader(const Input& input)
      : input_(input),
        begin_(input.text().data()),
        builder_(input.name(), [&input](Offset at) { return input.locate(at); }) {}

  Rsm read(DeadEnds dead_ends);

 private:
  // Errors.
  [[noreturn]] void fail(std::string message, std::size_t at) const;
  [[noreturn]] void fail_syntax() const;
  [[noreturn]] void fail_type(ondemand::value& value, std::string_view what,
                              const char* expected) const;

  // JSON.
  Offset offset(const char* place) const { return static_cast<Offset>(place - begin_); }
  Offset offset(ondemand::value& value) const { return offset(value.raw_json_token().data()); }
  template <std::size_t kCount>
  std::size_t key_index(ondemand::field& field, const Shape<kCount>& shape) const;
  template <std::size_t kCount, class Visit>
  std::uint32_t for_each_member(ondemand::object object, const Shape<kCount>& shape, Visit visit);
  template <std::size_t kCount, class Visit>
  std::uint32_t read_object(ondemand::value& value, const Shape<kCount>& shape, Visit visit);
  template <std::size_t kCount>
  void require(std::uint32_t seen, std::uint32_t needed, const Shape<kCount>& shape,
               Offset at) const;
  template <class Visit>
  void read_array(ondemand::value& value, std::string_view what, Visit visit);
  void skip(ondemand::value& value) const;
  Text text(ondemand::value& value, std::string_view what);
  Text name(ondemand::value& value, std::string_view what);
  bool boolean(ondemand::value& value, std::string_view what) const;
  std::uint32_t line_number(ondemand::value& value) const;
  void texts(ondemand::value& value, std::string_view what, std::vector<Text>& list);

  // The format.
  void read_model(ondemand::object object, Offset at);
  void read_component(ondemand::value& value);
  void read_node(ondemand::value& value);
  void read_box(ondemand::value& value);
  void read_transition(ondemand::value& value);
  Reference read_reference(ondemand::value& value);
  void name_initial_nodes(const Text& one, bool has_list, Offset list_at);

  const Input& input_;
  const char* begin_;
  ModelBuilder builder_;
  ondemand::parser parser_;
  // Of the item being read, kept between items to save allocations.
  std::vector<Text> labels_;
  std::vector<Text> call_nodes_;
  std::vector<Text> return_nodes_;
  std::vector<Reference> targets_;
  std::vector<Text> initial_nodes_;
};

void Reader::fail(std::string message, std::size_t at) const {
  throw Error(Error::Kind::Input, std::move(message), input_.locate(at));
}

/// simdjson has refused the file.
void Reader::fail_syntax() const {
  if (const std::optional<SyntaxError> error = find_syntax_error(input_.text())) {
    fail(error->message, error->at);
  }
  fail("not readable as JSON", 0);
}

void Reader::fail_type(ondemand::value& value, std::string_view what, const char* expected) const {
  const std::string_view token = value.raw_json_token();
  const Offset at = offset(token.data());
  // What is no value at all shows as a wrong type, too.
  if (const std::optional<SyntaxError> error = find_syntax_error(input_.text());
      error && error->at <= at) {
    fail(error->message, error->at);
  }
  const char* found = "a number";
  switch (token.front()) {
    case '{':
      found = "an object";
      break;
    case '[':
      found = "an array";
      break;
    case '"':
      found = "a string";
      break;
    case 't':
    case 'f':
      found = "a boolean";
      break;
    case 'n':
      found = "null";
      break;
    default:
      break;
  }
  fail(fmt::format("{} is {}, expected {}", what, found, expected), at);
}

/// The place of the field's key in the shape; kCount for a key that is not there.
template <std::size_t kCount>
std::size_t Reader::key_index(ondemand::field& field, const Shape<kCount>& shape) const {
  const char* const raw = field.key().raw();
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::string_view key = shape.keys[i];
    // The padding makes looking past the end of the file safe.
    if (std::memcmp(raw, key.data(), key.size()) == 0 && raw[key.size()] == '"') {
      return i;
    }
  }
  const char* end = raw;
  while (*end != '"' && *end != '\\') {
    ++end;
  }
  if (*end == '"') {
    return kCount;
  }
  std::string_view unescaped;
  if (field.unescaped_key().get(unescaped) != simdjson::SUCCESS) {
    fail_syntax();
  }
  for (std::size_t i = 0; i < kCount; ++i) {
    if (unescaped == shape.keys[i]) {
      return i;
    }
  }
  return kCount;
}

/// Calls visit(key, value) for each key of the shape and skips the others; the keys seen.
template <std::size_t kCount, class Visit>
std::uint32_t Reader::for_each_member(ondemand::object object, const Shape<kCount>& shape,
                                      Visit visit) {
  std::uint32_t seen = 0;
  for (auto member : object) {
    if (member.error() != simdjson::SUCCESS) {
      fail_syntax();
    }
    ondemand::field field = member.value_unsafe();
    const char* const key = field.key().raw() - 1;
    const std::size_t index = key_index(field, shape);
    if (index == kCount) {
      skip(field.value());
      continue;
    }
    if ((seen >> index & 1) != 0) {
      fail(fmt::format("duplicate key '{}' in a {}", shape.keys[index], shape.what), offset(key));
    }
    seen |= 1U << index;
    visit(index, field.value());
  }
  return seen;
}

template <std::size_t kCount, class Visit>
std::uint32_t Reader::read_object(ondemand::value& value, const Shape<kCount>& shape, Visit visit) {
  const Offset at = offset(value);
  ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) {
    fail_type(value, shape.what, "an object");
  }
  const std::uint32_t seen = for_each_member(object, shape, visit);
  require(seen, shape.required, shape, at);
  return seen;
}

template <std::size_t kCount>
void Reader::require(std::uint32_t seen, std::uint32_t needed, const Shape<kCount>& shape,
                     Offset at) const {
  const std::uint32_t missing = needed & ~seen;
  if (missing != 0) {
    const auto key = static_cast<std::size_t>(std::countr_zero(missing));
    fail(fmt::format("{} without '{}'", shape.what, shape.keys[key]), at);
  }
}

template <class Visit>
void Reader::read_array(ondemand::value& value, std::string_view what, Visit visit) {
  ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) {
    fail_type(value, what, "an array");
  }
  for (auto element : array) {
    if (element.error() != simdjson::SUCCESS) {
      fail_syntax();
    }
    ondemand::value item = element.value_unsafe();
    visit(item);
  }
}

/// simdjson only counts brackets in what nobody asks for; a broken file is to be refused anyway.
void Reader::skip(ondemand::value& value) const {
  std::string_view token = value.raw_json_token();
  if (token.front() == '{' || token.front() == '[') {
    if (simdjson::to_json_string(value).get(token) != simdjson::SUCCESS) {
      fail_syntax();
    }
  }
  if (token != "{}" && find_syntax_error(token)) {
    fail_syntax();
  }
}

Text Reader::text(ondemand::value& value, std::string_view what) {
  std::string_view token = value.raw_json_token();
  const Offset at = offset(token.data());
  if (token.front() != '"') {
    fail_type(value, what, "a string");
  }
  // The token reaches to the next one: the closing quote is what stands before the blanks there.
  token.remove_suffix(token.size() - 1 - token.find_last_of('"'));
  if (std::memchr(token.data(), '\\', token.size()) == nullptr) {
    return {token.substr(1, token.size() - 2), at};
  }
  std::string_view unescaped;
  if (find_syntax_error(token) || value.get_string().get(unescaped) != simdjson::SUCCESS) {
    fail_syntax();
  }
  return {unescaped, at};
}

Text Reader::name(ondemand::value& value, std::string_view what) {
  const Text found = text(value, what);
  if (found.text.empty()) {
    fail(fmt::format("{} is empty, expected a name", what), found.at);
  }
  return found;
}

bool Reader::boolean(ondemand::value& value, std::string_view what) const {
  bool found = false;
  if (value.get_bool().get(found) != simdjson::SUCCESS) {
    fail_type(value, what, "true or false");
  }
  return found;
}

std::uint32_t Reader::line_number(ondemand::value& value) const {
  const Offset at = offset(value);
  const char first = *value.raw_json_token().data();
  if (first != '-' && (first < '0' || first > '9')) {
    fail_type(value, "'line'", "a positive integer");
  }
  std::uint64_t found = 0;
  if (value.get_uint64().get(found) != simdjson::SUCCESS || found == 0 ||
      found > std::numeric_limits<std::uint32_t>::max()) {
    if (const std::optional<SyntaxError> error = find_syntax_error(input_.text());
        error && error->at <= at) {
      fail(error->message, error->at);
    }
    fail("'line' is out of range, expected an integer from 1 to 4294967295", at);
  }
  return static_cast<std::uint32_t>(found);
}

void Reader::texts(ondemand::value& value, std::string_view what, std::vector<Text>& list) {
  list.clear();
  read_array(value, what,
             [&](ondemand::value& item) { list.push_back(text(item, "array element")); });
}

Rsm Reader::read(DeadEnds dead_ends) {
  const std::string_view text = input_.text();
  if (text.size() > std::numeric_limits<Offset>::max() - simdjson::SIMDJSON_PADDING) {
    throw Error(Error::Kind::Unsupported, "larger than 4 GiB", {input_.name(), 0, 0});
  }
  ondemand::document document;
  ondemand::object object;
  ondemand::json_type type{};
  if (parser_.iterate(text.data(), text.size(), text.size() + Input::kPadding).get(document) !=
      simdjson::SUCCESS) {
    fail_syntax();
  }
  const std::size_t at = text.find_first_not_of(" \t\n\r");
  if (document.type().get(type) != simdjson::SUCCESS) {
    fail_syntax();
  }
  if (type != ondemand::json_type::object) {
    if (const std::optional<SyntaxError> error = find_syntax_error(text)) {
      fail(error->message, error->at);
    }
    fail("the file is no object, expected '{'", at);
  }
  if (document.get_object().get(object) != simdjson::SUCCESS) {
    fail_syntax();
  }
  read_model(object, static_cast<Offset>(at));
  if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) {  // something follows
    fail_syntax();
  }
  return builder_.finish(dead_ends);
}

void Reader::read_model(ondemand::object object, Offset at) {
  Text initial_node;
  Offset initial_nodes_at = 0;
  const std::uint32_t seen =
      for_each_member(object, kModel, [&](std::size_t key, ondemand::value& value) {
        switch (key) {
          case kInitialComponent: {
            const Text component = name(value, "'initial_component'");
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
            read_array(value, "'components'",
                       [this](ondemand::value& item) { read_component(item); });
        }
      });
  require(seen, kModel.required, kModel, at);
  name_initial_nodes(initial_node, (seen >> kInitialNodes & 1) != 0, initial_nodes_at);
}

void Reader::name_initial_nodes(const Text& one, bool has_list, Offset list_at) {
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
  for (const Text& node : initial_nodes_) {
    builder_.initial_node(node.text, node.at);
  }
}

void Reader::read_component(ondemand::value& value) {
  builder_.component({}, offset(value));
  read_object(value, kComponent, [this](std::size_t key, ondemand::value& member) {
    switch (key) {
      case kComponentName: {
        const Text component = name(member, "'name'");
        builder_.rename_component(component.text, component.at);
        break;
      }
      case kNodes:
        read_array(member, "'nodes'", [this](ondemand::value& item) { read_node(item); });
        break;
      case kBoxes:
        read_array(member, "'boxes'", [this](ondemand::value& item) { read_box(item); });
        break;
      default:
        read_array(member, "'transitions'",
                   [this](ondemand::value& item) { read_transition(item); });
    }
  });
}

void Reader::read_node(ondemand::value& value) {
  ModelBuilder::Node node;
  Offset at = 0;
  Offset line_at = 0;
  read_object(value, kNode, [&](std::size_t key, ondemand::value& member) {
    switch (key) {
      case kNodeName: {
        const Text found = name(member, "'name'");
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
        node.line = line_number(member);
    }
  });
  if (node.line != 0 && node.file.empty()) {
    fail("'line' without 'file'", line_at);
  }
  builder_.node(node, at);
  for (const Text& label : labels_) {
    builder_.label(label.text);
  }
}

void Reader::read_box(ondemand::value& value) {
  Text box;
  Text callee;
  read_object(value, kBox, [&](std::size_t key, ondemand::value& member) {
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
  for (const Text& node : call_nodes_) {
    builder_.call_node(node.text, node.at);
  }
  for (const Text& node : return_nodes_) {
    builder_.return_node(node.text, node.at);
  }
}

void Reader::read_transition(ondemand::value& value) {
  Reference source;
  targets_.clear();
  read_object(value, kTransition, [&](std::size_t key, ondemand::value& member) {
    if (key == kSource) {
      source = read_reference(member);
      return;
    }
    read_array(member, "'targets'",
               [this](ondemand::value& item) { targets_.push_back(read_reference(item)); });
  });
  builder_.source(source.ref, source.at);
  for (const Reference& target : targets_) {
    builder_.target(target.ref, target.at);
  }
}

Reference Reader::read_reference(ondemand::value& value) {
  const Offset at = offset(value);
  std::array<Text, kRef.keys.size()> members;
  const std::uint32_t seen =
      read_object(value, kRef, [&](std::size_t key, ondemand::value& member) {
        static constexpr std::array kQuoted = {"'type'", "'name'", "'box_name'", "'node_name'"};
        members[key] = text(member, kQuoted[key]);
      });
  if (members[kType].text == "node") {
    require(seen, kNodeRefNeeds, kRef, at);
    return {ModelBuilder::Ref::node(members[kRefName].text), members[kRefName].at};
  }
  if (members[kType].text == "box_node") {
    require(seen, kBoxNodeRefNeeds, kRef, at);
    return {ModelBuilder::Ref::box_node(members[kRefBox].text, members[kRefBoxNode].text), at};
  }
  fail(fmt::format("unknown type '{}', expected 'node' or 'box_node'", members[kType].text),
       members[kType].at);
}

}  // namespace

Rsm read_rsm_json(const Input& input, DeadEnds dead_ends) {
  return Reader(input).read(dead_ends);
}

}  // namespace nestor
