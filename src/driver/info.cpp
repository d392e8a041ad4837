// nestor info: what a model is made of and what is odd about it.

#include "base/json_writer.h"
#include "base/limits.h"
#include "driver/commands.h"
#include "driver/settings.h"
#include "model/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>

namespace nestor::driver {

namespace {

constexpr std::size_t kMostNames = 5;

struct Sizes {
  std::size_t call_nodes = 0;
  std::size_t return_nodes = 0;
  std::size_t entries = 0;
  std::size_t exits = 0;
};

struct Info {
  session::Subject subject;
  Sizes sizes;
  model::CallGraph calls;
  model::Oddities odd;
};

Sizes sizes_of(const model::Rsm& model) {
  Sizes sizes;
  for (const model::BoxId b : model.boxes()) {
    sizes.call_nodes += model.box(b).call_nodes().size();
    sizes.return_nodes += model.box(b).return_nodes().size();
  }
  for (const model::ComponentId c : model.components()) {
    sizes.entries += model.entries(c).size();
    sizes.exits += model.exits(c).size();
  }
  return sizes;
}

template <class... Arguments>
void line(std::string& out, std::string_view name, fmt::format_string<Arguments...> format,
          Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(out), "{:<14}", name);
  fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
  out += '\n';
}

std::string initial_names(const model::Rsm& model) {
  std::string out;
  const std::span<const model::NodeId> nodes = model.initial_nodes();
  for (std::size_t i = 0; i < std::min(nodes.size(), kMostNames); ++i) {
    fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ", ", model.node_name(nodes[i]));
  }
  if (nodes.size() > kMostNames) {
    fmt::format_to(std::back_inserter(out), " and {} more", nodes.size() - kMostNames);
  }
  return out;
}

/// One line an oddity; nothing if the count is 0.
void odd_line(std::string& out, std::size_t count, std::string_view one, std::string_view many,
              const std::string& names) {
  if (count > 0) {
    fmt::format_to(std::back_inserter(out), "odd           {} {}: {}\n", count,
                   count == 1 ? one : many, names);
  }
}

std::string first_of(const model::Rsm& model, const model::NodeCount& nodes) {
  return nodes.count == 0 ? std::string() : "first " + model.describe(nodes.first);
}

std::string unreachable_names(const model::Rsm& model,
                              const std::vector<model::ComponentId>& components) {
  std::string out;
  for (std::size_t i = 0; i < std::min(components.size(), kMostNames); ++i) {
    fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ", ",
                   model.component_name(components[i]));
  }
  return components.size() > kMostNames ? out + ", …" : out;
}

void append_oddities(std::string& out, const Info& info) {
  const model::Rsm& model = info.subject.machine();
  const model::Oddities& odd = info.odd;
  odd_line(out, info.calls.unreachable.size(), "unreachable component", "unreachable components",
           unreachable_names(model, info.calls.unreachable));
  odd_line(out, odd.dead_ends.count, "dead end", "dead ends", first_of(model, odd.dead_ends));
  odd_line(out, odd.entry_exits.count, "node that is entry and exit",
           "nodes that are entry and exit", first_of(model, odd.entry_exits));
  odd_line(out, odd.transitions_into_entries.count, "transition into an entry",
           "transitions into entries", first_of(model, odd.transitions_into_entries));
  odd_line(out, odd.exits_going_on.count, "exit with local successors",
           "exits with local successors", first_of(model, odd.exits_going_on));
  if (odd.boxes_missing_returns > 0) {
    const model::BoxId box = odd.first_box_missing_returns;
    odd_line(out, odd.boxes_missing_returns, "box with a return that leads nowhere",
             "boxes with a return that leads nowhere",
             fmt::format("first {}.{}", model.component_name(model.box(box).owner),
                         model.box_name(box)));
  }
}

std::string info_lines(const Info& info) {
  const model::Rsm& model = info.subject.machine();
  std::string out;
  line(out, "model", "{}", info.subject.name());
  line(out, "format", "{} ({})", info.subject.format()->id, info.subject.format()->description);
  line(out, "components", "{}", model.component_count());
  line(out, "nodes", "{} ({} plain, {} call, {} return)", model.node_count(),
       model.plain_node_count(), info.sizes.call_nodes, info.sizes.return_nodes);
  line(out, "boxes", "{}", model.box_count());
  line(out, "transitions", "{}", model.transition_count());
  line(out, "propositions", "{}", model.prop_count());
  line(out, "initial", "{}: {}", model.component_name(model.initial_component()),
       initial_names(model));
  line(out, "entries", "{} (at most {} in one component)", info.sizes.entries,
       model::max_entries(model));
  line(out, "exits", "{} (at most {} in one component)", info.sizes.exits, model::max_exits(model));
  line(out, "call graph", "{}, {} strongly connected component{}, the largest of {}",
       info.calls.recursive ? "recursive" : "not recursive", info.calls.strong_components,
       info.calls.strong_components == 1 ? "" : "s", info.calls.largest);
  line(out, "memory", "{} bytes, names aside", model.memory_bytes());
  append_oddities(out, info);
  for (const std::string& warning : info.subject.warnings()) {
    line(out, "warning", "{}", warning);
  }
  return out;
}

void write_count(base::JsonWriter& json, std::string_view name, const model::Rsm& model,
                 const model::NodeCount& nodes) {
  json.line().begin_object(name).member("count", nodes.count);
  if (nodes.count > 0) {
    json.member("first", model.describe(nodes.first));
  }
  json.end_object();
}

void write_oddities(base::JsonWriter& json, const Info& info) {
  const model::Rsm& model = info.subject.machine();
  const model::Oddities& odd = info.odd;
  json.line().begin_object("oddities").begin_array("unreachable_components");
  for (const model::ComponentId c : info.calls.unreachable) {
    json.value(model.component_name(c));
  }
  json.end_array();
  write_count(json, "dead_ends", model, odd.dead_ends);
  write_count(json, "entry_exits", model, odd.entry_exits);
  write_count(json, "transitions_into_entries", model, odd.transitions_into_entries);
  write_count(json, "exits_going_on", model, odd.exits_going_on);
  json.line().member("boxes_missing_returns", odd.boxes_missing_returns).end_object();
}

std::string info_json(const Info& info) {
  const model::Rsm& model = info.subject.machine();
  std::string out;
  base::JsonWriter json(out);
  json.begin_object().member("model", info.subject.name());
  json.line().member("format", info.subject.format()->id);
  json.line().member("components", model.component_count());
  json.line().member("nodes", model.node_count());
  json.line().member("plain_nodes", model.plain_node_count());
  json.line().member("call_nodes", info.sizes.call_nodes);
  json.line().member("return_nodes", info.sizes.return_nodes);
  json.line().member("boxes", model.box_count());
  json.line().member("transitions", model.transition_count());
  json.line().member("propositions", model.prop_count());
  json.line().member("initial_component", model.component_name(model.initial_component()));
  json.line().begin_array("initial_nodes");
  for (const model::NodeId n : model.initial_nodes()) {
    json.value(model.node_name(n));
  }
  json.end_array();
  json.line().member("entries", info.sizes.entries);
  json.line().member("max_entries", model::max_entries(model));
  json.line().member("exits", info.sizes.exits);
  json.line().member("max_exits", model::max_exits(model));
  json.line().member("recursive", info.calls.recursive);
  json.line().member("strong_components", info.calls.strong_components);
  json.line().member("largest_strong_component", info.calls.largest);
  json.line().member("memory_bytes", model.memory_bytes());
  write_oddities(json, info);
  json.line().begin_object("stats").member("read.bytes", info.subject.input_bytes());
  json.key("read.seconds").seconds(info.subject.read_seconds());
  json.member("memory.peak_bytes", base::peak_resident_bytes()).end_object().end_object();
  return out + '\n';
}

}  // namespace

int run_info(const Options& options, const Streams& streams) {
  Info info{.subject = whole_model(options, streams), .sizes = {}, .calls = {}, .odd = {}};
  info.sizes = sizes_of(info.subject.machine());
  info.calls = model::inspect_call_graph(info.subject.machine());
  info.odd = model::find_oddities(info.subject.machine());
  streams.out << (options.json ? info_json(info) : info_lines(info));
  return kAllHold;
}

}  // namespace nestor::driver
