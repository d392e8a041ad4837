#include "api/formula_access.h"
#include "api/model_impl.h"
#include "base/input.h"
#include "format/registry.h"
#include "model/inspect.h"
#include "session/atoms.h"

#include <fmt/format.h>

namespace nestor {

namespace {

Model with_properties(session::Subject subject, logic::FormulaPool pool) {
  auto impl = std::make_shared<Model::Impl>(std::move(subject));
  impl->properties = FormulaAccess::of(std::move(pool), impl->subject->properties());
  return ModelAccess::make(std::move(impl));
}

ModelInfo::Odd odd(const model::Rsm& model, const model::NodeCount& nodes) {
  return {nodes.count, nodes.count == 0 ? std::string() : model.describe(nodes.first)};
}

void add_oddities(const model::Rsm& model, ModelInfo& info) {
  const model::Oddities odd_ones = model::find_oddities(model);
  info.dead_ends = odd(model, odd_ones.dead_ends);
  info.entry_exits = odd(model, odd_ones.entry_exits);
  info.transitions_into_entries = odd(model, odd_ones.transitions_into_entries);
  info.exits_going_on = odd(model, odd_ones.exits_going_on);
  info.boxes_missing_returns.count = odd_ones.boxes_missing_returns;
  if (odd_ones.boxes_missing_returns > 0) {
    const model::BoxId box = odd_ones.first_box_missing_returns;
    info.boxes_missing_returns.first =
        fmt::format("{}.{}", model.component_name(model.box(box).owner), model.box_name(box));
  }
}

void add_calls(const model::Rsm& model, ModelInfo& info) {
  info.max_entries = model::max_entries(model);
  info.max_exits = model::max_exits(model);
  for (const model::BoxId b : model.boxes()) {
    info.call_nodes += model.box(b).call_nodes().size();
    info.return_nodes += model.box(b).return_nodes().size();
  }
  for (const model::ComponentId c : model.components()) {
    info.entries += model.entries(c).size();
    info.exits += model.exits(c).size();
  }
  const model::CallGraph calls = model::inspect_call_graph(model);
  info.recursive = calls.recursive;
  info.strong_components = calls.strong_components;
  info.largest_strong_component = calls.largest;
  for (const model::ComponentId c : calls.unreachable) {
    info.unreachable_components.emplace_back(model.component_name(c));
  }
}

End end_of(const model::Rsm& model, model::NodeId node) {
  return {model.kind(node) == model::NodeKind::Plain
              ? std::string()
              : std::string(model.box_name(model.box_of(node))),
          std::string(model.node_name(node))};
}

Component component_of(const model::Rsm& model, model::ComponentId c,
                       const base::CompressedRows<model::NodeId, model::PropId>& labels) {
  Component out;
  out.name = model.component_name(c);
  for (const model::NodeId n : model.component(c).plain_nodes()) {
    Component::Node node{.name = std::string(model.node_name(n)),
                         .is_entry = model.is_entry(n),
                         .is_exit = model.is_exit(n)};
    for (const model::PropId p : labels[n]) {
      node.labels.emplace_back(model.prop_name(p));
    }
    if (const std::optional<model::NodePosition> position = model.position(n)) {
      node.file = model.string(position->file);
      node.line = position->line;
    }
    out.nodes.push_back(std::move(node));
  }
  for (const model::BoxId b : model.component(c).boxes()) {
    out.boxes.push_back(
        {std::string(model.box_name(b)), std::string(model.component_name(model.box(b).callee))});
  }
  for (const model::NodeId n : model.component(c).nodes()) {
    for (const model::NodeId to : model.successors(n)) {
      out.transitions.push_back({end_of(model, n), end_of(model, to)});
    }
  }
  return out;
}

const model::Rsm& explored(Model& model) {
  if (!model.is_explored()) {
    model.explore();
  }
  return ModelAccess::subject(model)->machine();
}

Format format_of(const format::FormatInfo& row) {
  return {std::string(row.id), std::string(row.extension), std::string(row.description),
          row.write != nullptr, row.has_properties};
}

}  // namespace

Model Model::read(const std::string& path, const Settings& settings) {
  return read(ModelSource{.path = path}, settings);
}

Model Model::read(const ModelSource& source, const Settings& settings) {
  logic::FormulaPool pool(format::atom_dialects());
  session::Subject subject =
      session::Subject::read(source, settings, source.properties ? &pool : nullptr);
  return with_properties(std::move(subject), std::move(pool));
}

Model Model::parse(std::string_view text, std::string_view format, const std::string& name,
                   const Settings& settings) {
  logic::FormulaPool pool(format::atom_dialects());
  ModelSource source{.path = name};
  source.format = format;
  session::Subject subject =
      session::Subject::read(base::Input::from_text(name, text), source, settings, &pool);
  return with_properties(std::move(subject), std::move(pool));
}

const std::string& Model::name() const {
  return impl_->subject->name();
}

const std::vector<Formula>& Model::properties() const {
  return impl_->properties;
}

const std::vector<std::string>& Model::warnings() const {
  return impl_->subject->warnings();
}

bool Model::is_explored() const {
  return impl_->subject->has_machine();
}

bool Model::is_given_by_states() const {
  return impl_->subject->states() != nullptr;
}

void Model::explore(const Settings& settings,
                    const std::optional<std::vector<std::string>>& propositions) {
  if (propositions) {
    if (std::shared_ptr<session::Subject> steps = impl_->subject->with_steps(*propositions)) {
      impl_->subject = std::move(steps);
    }
    impl_->subject->forget_limits();
    impl_->subject->explore_or_refuse(*propositions, settings);
    return;
  }
  session::Subject& subject = *impl_->subject;
  subject.forget_limits();
  std::vector<std::string> own;
  if (subject.states() != nullptr) {
    subject.explore_or_refuse({}, settings);  // a net knows its tuples then
    own = subject.states()->propositions();
  }
  if (own.empty()) {
    logic::FormulaPool pool;
    FormulaAccess::Known known;
    for (const Formula& property : impl_->properties) {
      FormulaAccess::id_in(pool, property, known);
    }
    own = session::atoms_of(pool);
  }
  subject.explore_or_refuse(own, settings);
}

std::vector<std::string> Model::all_atoms(const Settings& settings) {
  session::Subject& subject = *impl_->subject;
  if (subject.states() == nullptr) {
    return {};
  }
  subject.forget_limits();
  subject.explore_or_refuse({}, settings);
  return subject.states()->all_propositions();
}

ModelInfo Model::sizes() const {
  const session::Subject& subject = *impl_->subject;
  ModelInfo info;
  info.name = subject.name();
  if (subject.format() != nullptr) {
    info.format = subject.format()->id;
    info.format_description = subject.format()->description;
  }
  info.read_bytes = subject.input_bytes();
  info.read_seconds = subject.read_seconds();
  const model::Rsm none;
  const model::Rsm& model = subject.has_machine() ? subject.machine() : none;
  info.components = model.component_count();
  info.nodes = model.node_count();
  info.plain_nodes = model.plain_node_count();
  info.boxes = model.box_count();
  info.transitions = model.transition_count();
  info.propositions = model.prop_count();
  info.memory_bytes = model.memory_bytes();
  return info;
}

ModelInfo Model::info() {
  const model::Rsm& model = explored(*this);
  ModelInfo info = sizes();
  info.initial_component = initial_component();
  info.initial_nodes = initial_nodes();
  add_calls(model, info);
  add_oddities(model, info);
  return info;
}

std::vector<Component> Model::components() {
  const model::Rsm& model = explored(*this);
  const base::CompressedRows<model::NodeId, model::PropId> labels = model.props_by_node();
  std::vector<Component> out;
  for (const model::ComponentId c : model.components()) {
    out.push_back(component_of(model, c, labels));
  }
  return out;
}

std::string Model::initial_component() {
  const model::Rsm& model = explored(*this);
  return std::string(model.component_name(model.initial_component()));
}

std::vector<std::string> Model::initial_nodes() {
  const model::Rsm& model = explored(*this);
  std::vector<std::string> names;
  for (const model::NodeId n : model.initial_nodes()) {
    names.emplace_back(model.node_name(n));
  }
  return names;
}

std::vector<std::string> Model::propositions() {
  const model::Rsm& model = explored(*this);
  std::vector<std::string> names;
  for (const model::PropId p : model.props()) {
    names.emplace_back(model.prop_name(p));
  }
  return names;
}

std::string Model::write(std::string_view format) {
  const format::FormatInfo& to = format::find_format(format, "");
  if (to.write == nullptr) {
    throw Error(Error::Kind::Usage,
                fmt::format("format '{}' can only be read, not written", to.id));
  }
  return to.write(explored(*this));
}

std::vector<Format> formats() {
  std::vector<Format> out;
  for (const format::FormatInfo& row : format::format_registry()) {
    out.push_back(format_of(row));
  }
  return out;
}

Format find_format(std::string_view id, std::string_view path) {
  return format_of(format::find_format(id, path));
}

}  // namespace nestor
