// nestor info: what a model is made of and what is odd about it.

#include "base/json_document.h"
#include "base/limits.h"
#include "driver/commands.h"
#include "driver/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nestor/version.h>
#include <ostream>

namespace nestor::driver {

namespace {

constexpr std::size_t kMostNames = 5;

/// The first few, and `rest` in place of the others.
std::string first_few(const std::vector<std::string>& names, std::string_view rest) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) {
    fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ", ", names[i]);
  }
  return names.size() > kMostNames ? out + std::string(rest) : out;
}

template <class... Arguments>
void line(std::string& out, std::string_view name, fmt::format_string<Arguments...> format,
          Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(out), "{:<14}", name);
  fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
  out += '\n';
}

/// One line an oddity; nothing if the count is 0.
void odd_line(std::string& out, std::size_t count, std::string_view one, std::string_view many,
              const std::string& names) {
  if (count > 0) {
    fmt::format_to(std::back_inserter(out), "odd           {} {}: {}\n", count,
                   count == 1 ? one : many, names);
  }
}

void odd_line(std::string& out, const ModelInfo::Odd& odd, std::string_view one,
              std::string_view many) {
  odd_line(out, odd.count, one, many, "first " + odd.first);
}

std::string info_lines(const ModelInfo& info, const std::vector<std::string>& warnings) {
  std::string out;
  line(out, "model", "{}", info.name);
  line(out, "format", "{} ({})", info.format, info.format_description);
  line(out, "components", "{}", info.components);
  line(out, "nodes", "{} ({} plain, {} call, {} return)", info.nodes, info.plain_nodes,
       info.call_nodes, info.return_nodes);
  line(out, "boxes", "{}", info.boxes);
  line(out, "transitions", "{}", info.transitions);
  line(out, "propositions", "{}", info.propositions);
  line(out, "initial", "{}: {}", info.initial_component,
       first_few(info.initial_nodes,
                 fmt::format(" and {} more", info.initial_nodes.size() - kMostNames)));
  line(out, "entries", "{} (at most {} in one component)", info.entries, info.max_entries);
  line(out, "exits", "{} (at most {} in one component)", info.exits, info.max_exits);
  line(out, "call graph", "{}, {} strongly connected component{}, the largest of {}",
       info.recursive ? "recursive" : "not recursive", info.strong_components,
       info.strong_components == 1 ? "" : "s", info.largest_strong_component);
  line(out, "memory", "{} bytes, names aside", info.memory_bytes);
  odd_line(out, info.unreachable_components.size(), "unreachable component",
           "unreachable components", first_few(info.unreachable_components, ", …"));
  odd_line(out, info.dead_ends, "dead end", "dead ends");
  odd_line(out, info.entry_exits, "node that is entry and exit", "nodes that are entry and exit");
  odd_line(out, info.transitions_into_entries, "transition into an entry",
           "transitions into entries");
  odd_line(out, info.exits_going_on, "exit with local successors", "exits with local successors");
  odd_line(out, info.boxes_missing_returns, "box with a return that leads nowhere",
           "boxes with a return that leads nowhere");
  for (const std::string& warning : warnings) {
    line(out, "warning", "{}", warning);
  }
  return out;
}

void write_count(base::JsonWriter& json, std::string_view name, const ModelInfo::Odd& odd) {
  json.line().begin_object(name).member("count", odd.count);
  if (odd.count > 0) {
    json.member("first", odd.first);
  }
  json.end_object();
}

void write_names(base::JsonWriter& json, std::string_view name,
                 const std::vector<std::string>& names) {
  json.begin_array(name);
  for (const std::string& one : names) {
    json.value(one);
  }
  json.end_array();
}

void write_oddities(base::JsonWriter& json, const ModelInfo& info) {
  json.line().begin_object("oddities");
  write_names(json, "unreachable_components", info.unreachable_components);
  write_count(json, "dead_ends", info.dead_ends);
  write_count(json, "entry_exits", info.entry_exits);
  write_count(json, "transitions_into_entries", info.transitions_into_entries);
  write_count(json, "exits_going_on", info.exits_going_on);
  json.line().member("boxes_missing_returns", info.boxes_missing_returns.count).end_object();
}

std::string info_json(const ModelInfo& info) {
  std::string out;
  base::JsonWriter json(out);
  base::begin_document(json, "info", version()).line().member("model", info.name);
  json.line().member("format", info.format);
  const auto write_sizes = [&](std::initializer_list<std::pair<const char*, std::size_t>> sizes) {
    for (const auto& [name, size] : sizes) {
      json.line().member(name, size);
    }
  };
  write_sizes({{"components", info.components},
               {"nodes", info.nodes},
               {"plain_nodes", info.plain_nodes},
               {"call_nodes", info.call_nodes},
               {"return_nodes", info.return_nodes},
               {"boxes", info.boxes},
               {"transitions", info.transitions},
               {"propositions", info.propositions}});
  json.line().member("initial_component", info.initial_component);
  json.line();
  write_names(json, "initial_nodes", info.initial_nodes);
  write_sizes({{"entries", info.entries},
               {"max_entries", info.max_entries},
               {"exits", info.exits},
               {"max_exits", info.max_exits}});
  json.line().member("recursive", info.recursive);
  write_sizes({{"strong_components", info.strong_components},
               {"largest_strong_component", info.largest_strong_component},
               {"memory_bytes", info.memory_bytes}});
  write_oddities(json, info);
  json.line().begin_object("stats").member("read.bytes", info.read_bytes);
  json.key("read.seconds").seconds(info.read_seconds);
  json.member("memory.peak_bytes", base::peak_resident_bytes()).end_object().end_object();
  return out + '\n';
}

}  // namespace

int run_info(const Options& options, const Streams& streams) {
  Model model = whole_model(options, streams);
  const ModelInfo info = model.info();
  streams.out << (options.json ? info_json(info) : info_lines(info, model.warnings()));
  return kAllHold;
}

}  // namespace nestor::driver
