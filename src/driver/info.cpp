// nestor info: what a model is made of and what is odd about it.

#include "base/json.h"
#include "base/limits.h"
#include "driver/commands.h"
#include "driver/settings.h"
#include "model/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>

namespace nestor {

namespace {

constexpr std::size_t kMostNames = 5;

struct Sizes {
  std::size_t call_nodes = 0;
  std::size_t return_nodes = 0;
  std::size_t entries = 0;
  std::size_t exits = 0;
};

struct Info {
  Subject subject;
  Sizes sizes;
  CallGraph calls;
  Oddities odd;
};

Sizes sizes_of(const Rsm& model) {
  Sizes sizes;
  for (const BoxId b : model.boxes()) {
    sizes.call_nodes += model.box(b).call_nodes().size();
    sizes.return_nodes += model.box(b).return_nodes().size();
  }
  for (const ComponentId c : model.components()) {
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

std::string initial_names(const Rsm& model) {
  std::string out;
  const std::span<const NodeId> nodes = model.initial_nodes();
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

std::string first_of(const Rsm& model, const NodeCount& nodes) {
  return nodes.count == 0 ? std::string() : "first " + model.describe(nodes.first);
}

std::string unreachable_names(const Rsm& model, const std::vector<ComponentId>& components) {
  std::string out;
  for (std::size_t i = 0; i < std::min(components.size(), kMostNames); ++i) {
    fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ", ",
                   model.component_name(components[i]));
  }
  return components.size() > kMostNames ? out + ", …" : out;
}

void append_oddities(std::string& out, const Info& info) {
  const Rsm& model = info.subject.machine();
  const Oddities& odd = info.odd;
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
    const BoxId box = odd.first_box_missing_returns;
    odd_line(out, odd.boxes_missing_returns, "box with a return that leads nowhere",
             "boxes with a return that leads nowhere",
             fmt::format("first {}.{}", model.component_name(model.box(box).owner),
                         model.box_name(box)));
  }
}

std::string info_lines(const Info& info) {
  const Rsm& model = info.subject.machine();
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
  line(out, "entries", "{} (at most {} in one component)", info.sizes.entries, max_entries(model));
  line(out, "exits", "{} (at most {} in one component)", info.sizes.exits, max_exits(model));
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

std::string count_json(const Rsm& model, const NodeCount& nodes) {
  return nodes.count == 0 ? "{\"count\":0}"
                          : fmt::format("{{\"count\":{},\"first\":{}}}", nodes.count,
                                        json_string(model.describe(nodes.first)));
}

std::string oddities_json(const Info& info) {
  const Rsm& model = info.subject.machine();
  const Oddities& odd = info.odd;
  std::string unreachable;
  for (const ComponentId c : info.calls.unreachable) {
    unreachable += unreachable.empty() ? "" : ",";
    unreachable += json_string(model.component_name(c));
  }
  return fmt::format(
      "{{\"unreachable_components\":[{}],\n\"dead_ends\":{},\n\"entry_exits\":{},\n"
      "\"transitions_into_entries\":{},\n\"exits_going_on\":{},\n\"boxes_missing_returns\":{}}}",
      unreachable, count_json(model, odd.dead_ends), count_json(model, odd.entry_exits),
      count_json(model, odd.transitions_into_entries), count_json(model, odd.exits_going_on),
      odd.boxes_missing_returns);
}

std::string info_json(const Info& info) {
  const Rsm& model = info.subject.machine();
  std::string initial;
  for (const NodeId n : model.initial_nodes()) {
    initial += initial.empty() ? "" : ",";
    initial += json_string(model.node_name(n));
  }
  return fmt::format(
      "{{\"model\":{},\n\"format\":{},\n\"components\":{},\n\"nodes\":{},\n\"plain_nodes\":{},\n"
      "\"call_nodes\":{},\n\"return_nodes\":{},\n\"boxes\":{},\n\"transitions\":{},\n"
      "\"propositions\":{},\n\"initial_component\":{},\n\"initial_nodes\":[{}],\n"
      "\"entries\":{},\n\"max_entries\":{},\n\"exits\":{},\n\"max_exits\":{},\n"
      "\"recursive\":{},\n\"strong_components\":{},\n\"largest_strong_component\":{},\n"
      "\"memory_bytes\":{},\n\"oddities\":{},\n"
      "\"stats\":{{\"read.bytes\":{},\"read.seconds\":{:.6f},\"memory.peak_bytes\":{}}}}}\n",
      json_string(info.subject.name()), json_string(info.subject.format()->id),
      model.component_count(), model.node_count(), model.plain_node_count(), info.sizes.call_nodes,
      info.sizes.return_nodes, model.box_count(), model.transition_count(), model.prop_count(),
      json_string(model.component_name(model.initial_component())), initial, info.sizes.entries,
      max_entries(model), info.sizes.exits, max_exits(model), info.calls.recursive,
      info.calls.strong_components, info.calls.largest, model.memory_bytes(), oddities_json(info),
      info.subject.input_bytes(), info.subject.read_seconds(), peak_resident_bytes());
}

}  // namespace

int run_info(const Options& options, const Streams& streams) {
  Info info{.subject = whole_model(options, streams), .sizes = {}, .calls = {}, .odd = {}};
  info.sizes = sizes_of(info.subject.machine());
  info.calls = inspect_call_graph(info.subject.machine());
  info.odd = find_oddities(info.subject.machine());
  streams.out << (options.json ? info_json(info) : info_lines(info));
  return kAllHold;
}

}  // namespace nestor
