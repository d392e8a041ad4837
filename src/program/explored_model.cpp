#include "model/builder.h"
#include "program/exploration.h"
#include "program/flow_graph.h"

#include <fmt/format.h>

#include <unordered_map>

namespace nestor::program {

namespace {

using Ref = model::ModelBuilder::Ref;

/// The rule sees something of the node, and it can be reached.
bool is_shown(const Exploration& exploration, std::uint32_t c, const Exploration::Node& node) {
  return node.is_seen && node.is_reached && exploration.is_entered[c] != 0;
}

class ModelWriter {
 public:
  ModelWriter(const Exploration& exploration, const Program& program, const HandleEvents& events,
              Reduction reduction)
      : exploration_(exploration),
        program_(program),
        events_(events),
        reduction_(reduction),
        builder_("program") {}

  SlicedModel write() {
    for (std::uint32_t c = 0; c < exploration_.components.size(); ++c) {
      emit(c);
    }
    builder_.initial_component(name_of(0));
    sliced_.model = builder_.finish();
    return std::move(sliced_);
  }

 private:
  std::string name_of(std::uint32_t c) const {
    const std::string_view name =
        program_.text(program_.functions[exploration_.components[c]->function].name);
    return c == 0 ? std::string(name) : fmt::format("{}#{}", name, c);
  }

  bool is_exit(const Exploration::Node& node) const {
    return node.point == Function::kReturn || node.point == Function::kUnwind ||
           node.point == Function::kLongjmp;
  }

  void emit(std::uint32_t c) {
    const Exploration::Component& component = *exploration_.components[c];
    const Function& function = program_.functions[component.function];
    const auto count = static_cast<std::uint32_t>(component.nodes.size());
    FlowGraph flow(count);
    std::vector<std::uint8_t> keep(count, 0);
    for (std::uint32_t n = 0; n < count; ++n) {
      const Exploration::Node& node = component.nodes[n];
      keep[n] = node.point < Function::kFirst || node.point == kStuck ||
                        is_shown(exploration_, c, node) || reduction_ == Reduction::Nothing
                    ? 1
                    : 0;
      for (const std::uint32_t to : node.next) {
        flow.add(n, to);
      }
    }
    struct Port {
      std::uint32_t box;
      std::uint32_t exit;
      std::uint32_t point;
    };
    std::vector<Port> ports;
    for (std::uint32_t b = 0; b < component.boxes.size(); ++b) {
      if (component.boxes[b].is_left) {
        continue;
      }
      keep[component.boxes[b].node] = 1;
      for (const auto& [exit, nodes] : component.boxes[b].returns) {
        ports.push_back({b, exit, flow.add_point()});
        for (const std::uint32_t to : nodes) {
          flow.add(ports.back().point, to);
        }
      }
    }
    keep.resize(flow.size(), 1);
    flow.reduce(keep);
    // Nodes.
    builder_.component(name_of(c));
    sliced_.components.push_back({component.function, {}, component.is_outermost});
    sliced_.points.emplace_back();
    constexpr std::string_view kEnds[] = {"entry", "return", "unwind", "longjmp", "halt"};
    std::vector<std::string> names(count);
    std::unordered_map<std::string, unsigned> counts;
    const auto fresh = [&](std::string name) {
      const unsigned times = ++counts[name];
      return times == 1 ? name : fmt::format("{}.{}", name, times);
    };
    for (std::uint32_t n = 0; n < count; ++n) {
      if (flow.is_dropped(n)) {
        continue;
      }
      const Exploration::Node& node = component.nodes[n];
      const SourcePlace place =
          node.point == kStuck ? function.place : function.points[node.point].place;
      names[n] =
          fresh(node.point == kStuck            ? std::string("stuck")
                : node.point < Function::kFirst ? std::string(kEnds[node.point])
                                                : fmt::format("L{}_{}", place.line, place.column));
      builder_.node({.name = names[n],
                     .is_entry = n == 0,
                     .is_exit = is_exit(node),
                     .file = place.line > 0 ? program_.text(place.file) : std::string_view(),
                     .line = place.line});
      sliced_.points.back().push_back(
          node.point == kStuck ? static_cast<std::uint32_t>(function.points.size()) : node.point);
      if (is_shown(exploration_, c, node)) {
        labels_.clear();
        events_.of(component.function, component.is_outermost, node.point, node.happenings,
                   labels_);
        for (const std::string& label : labels_) {
          builder_.label(label);
        }
      }
    }
    for (std::uint32_t n = 0; n < count; ++n) {
      if (!flow.is_dropped(n)) {
        for (const std::uint32_t to : flow.next(n)) {
          builder_.transition(Ref::node(names[n]), Ref::node(names[to]));
        }
      }
    }
    std::size_t port = 0;
    for (std::uint32_t b = 0; b < component.boxes.size(); ++b) {
      const Exploration::Box& box = component.boxes[b];
      if (box.is_left) {
        continue;
      }
      const Point& point = function.points[component.nodes[box.node].point];
      const std::string name =
          fresh(fmt::format("{}_L{}_{}", program_.text(program_.functions[box.target].source_name),
                            point.place.line, point.place.column));
      const std::uint32_t callee = exploration_.callees[c][b];
      builder_.box(name, name_of(callee));
      builder_.transition(Ref::node(names[box.node]), Ref::box_node(name, "entry"));
      for (; port < ports.size() && ports[port].box == b; ++port) {
        const std::string exit = exit_name(callee, ports[port].exit);
        for (const std::uint32_t to : flow.next(ports[port].point)) {
          builder_.transition(Ref::box_node(name, exit), Ref::node(names[to]));
        }
      }
    }
  }

  /// As emit() names it: by kind, numbered in the order of nodes.
  std::string exit_name(std::uint32_t c, std::uint32_t exit) const {
    constexpr std::string_view kEnds[] = {"entry", "return", "unwind", "longjmp", "halt"};
    const Exploration::Component& component = *exploration_.components[c];
    const std::uint32_t n = component.exits[exit];
    const std::uint32_t point = component.nodes[n].point;
    unsigned times = 0;
    for (std::uint32_t i = 0; i <= n; ++i) {
      times += component.nodes[i].point == point ? 1 : 0;
    }
    return times == 1 ? std::string(kEnds[point]) : fmt::format("{}.{}", kEnds[point], times);
  }

  const Exploration& exploration_;
  const Program& program_;
  const HandleEvents& events_;
  const Reduction reduction_;
  std::vector<std::string> labels_;
  model::ModelBuilder builder_;
  SlicedModel sliced_;
};

}  // namespace

std::set<std::string, std::less<>> propositions_of(const Exploration& exploration,
                                                   const HandleEvents& events) {
  std::set<std::string, std::less<>> propositions;
  std::vector<std::string> labels;
  for (std::uint32_t c = 0; c < exploration.components.size(); ++c) {
    const Exploration::Component& component = *exploration.components[c];
    for (const Exploration::Node& node : component.nodes) {
      if (is_shown(exploration, c, node)) {
        labels.clear();
        events.of(component.function, component.is_outermost, node.point, node.happenings, labels);
        propositions.insert(labels.begin(), labels.end());
      }
    }
  }
  return propositions;
}

SlicedModel model_of(const Exploration& exploration, const Program& program,
                     const HandleEvents& events, Reduction reduction) {
  return ModelWriter(exploration, program, events, reduction).write();
}

}  // namespace nestor::program
