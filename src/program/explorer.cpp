#include "program/explorer.h"

#include "model/builder.h"
#include "program/flow_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>
#include <unordered_map>

namespace nestor::program {

namespace {

using Ref = model::ModelBuilder::Ref;
using Phase = SymbolicState::Phase;

constexpr std::uint32_t kStuck = UINT32_MAX;  // as a point: a call that never comes back
constexpr std::size_t kMostNodes = 600;       // of one model
constexpr std::size_t kMostOfLocal = 120;     // of which there are many more than of what is made
constexpr std::size_t kMostOfStory = 10'000;  // where all points are nodes

struct Node {
  std::uint32_t point = 0;
  StateId state;
  std::vector<std::uint32_t> next;
  std::vector<std::string> labels;
  bool is_end = false;  ///< the handle is released or kept here, and that is all of it
};

/// A call that is entered.
struct Box {
  std::uint32_t node = 0;
  std::uint32_t component = 0;
  FunctionId target;
  std::vector<std::uint32_t> symbols;  ///< for each symbol of the entry the caller's
  /// By exit of the component: the nodes after it.
  std::map<std::uint32_t, std::vector<std::uint32_t>> returns;
};

struct Component {
  FunctionId function;
  bool is_outermost = false;
  StateId entry;
  const Relevance* relevance = nullptr;
  std::vector<Node> nodes;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> index;  ///< point and state
  std::vector<std::uint32_t> exits;                                        ///< nodes
  std::vector<Box> boxes;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> callers;  ///< component and box
};

class Explorer {
 public:
  Explorer(ProgramIndex& index, const Tracking& tracking, const HandleEvents& events,
           Reduction reduction, const std::set<FunctionId>& releasing)
      : index_(index),
        program_(index.program()),
        tracking_(tracking),
        releasing_(releasing),
        semantics_(index, tracking),
        events_(events),
        reduction_(reduction),
        builder_("program") {}

  ExploredModel run(FunctionId root) {
    SymbolicState start = semantics_.initial(root);
    component_of(root, true, std::move(start),
                 index_.relevance(root, semantics_.seeds_of_root(root)));
    while (!work_.empty()) {
      const auto [component, node] = work_.back();
      work_.pop_back();
      expand(component, node);
      if (node_count_ > most_nodes()) {
        ExploredModel result;
        result.is_too_large = true;
        return result;
      }
    }
    find_releasing();
    if (result_.releasing.size() > releasing_.size()) {
      return std::move(result_);  // once more, now that this is known
    }
    for (std::uint32_t c = 0; c < components_.size(); ++c) {
      emit(c);
    }
    find_entered();
    builder_.initial_component(name_of(0));
    result_.sliced.model = builder_.finish();
    return std::move(result_);
  }

 private:
  std::size_t most_nodes() const {
    if (reduction_ == Reduction::Nothing) {
      return kMostOfStory;
    }
    return tracking_.undefined || tracking_.null || tracking_.address ? kMostOfLocal : kMostNodes;
  }

  void look_at(const Component& component) {
    semantics_.look_at(*component.relevance, &states_[component.entry]);
  }

  // ---- exploring -----------------------------------------------------------------------------

  std::uint32_t component_of(FunctionId function, bool is_outermost, SymbolicState entry,
                             const Relevance& relevance) {
    semantics_.look_at(relevance, &entry);
    semantics_.forget(function, Function::kEntry, entry);
    const StateId state = states_.intern(std::move(entry));
    const auto key = std::tuple(function, is_outermost, state);
    const auto [found, fresh] =
        component_index_.try_emplace(key, static_cast<std::uint32_t>(components_.size()));
    if (fresh) {
      components_.emplace_back();
      components_.back().function = function;
      components_.back().is_outermost = is_outermost;
      components_.back().entry = state;
      components_.back().relevance = &relevance;
      add_node(found->second, Function::kEntry, state);
    }
    return found->second;
  }

  std::uint32_t add_node(std::uint32_t c, std::uint32_t point, StateId state) {
    Component& component = components_[c];
    const auto [found, fresh] = component.index.try_emplace(
        {point, state.value()}, static_cast<std::uint32_t>(component.nodes.size()));
    if (fresh) {
      Node node;
      node.point = point;
      node.state = state;
      if (point != kStuck) {
        const Happenings happenings = semantics_.happenings(component.function, point,
                                                            states_[state], component.is_outermost);
        events_.of(component.function, component.is_outermost, point, happenings, node.labels);
        result_.outlives_root |= happenings.is_returned;
        node.is_end = ends_here(component, point, happenings);
      }
      component.nodes.push_back(std::move(node));
      ++node_count_;
      work_.emplace_back(c, found->second);
    }
    return found->second;
  }

  /// Goes on over points that no node is needed for: nothing else comes there, the rule sees
  /// nothing there, and there is one way on. False: none of these ways is possible.
  bool pass(const Component& component, std::uint32_t& point, SymbolicState& state) {
    if (reduction_ == Reduction::Nothing) {
      return true;
    }
    std::vector<SymbolicState> after;
    while (component.relevance->is_link(point) &&
           !(state.phase == Phase::Waiting &&
             semantics_.is_origin(component.function, point, component.is_outermost)) &&
           !is_seen(component, point, state)) {
      after.clear();
      semantics_.step(component.function, point, state, after);
      if (after.empty()) {
        return false;
      }
      if (after.size() > 1) {
        break;  // a node at this point: it has two ways on
      }
      state = std::move(after.front());
      point = component.relevance->next(point).front();
    }
    return true;
  }

  /// The rule sees something of the point.
  bool is_seen(const Component& component, std::uint32_t point, const SymbolicState& state) {
    const Happenings happenings =
        semantics_.happenings(component.function, point, state, component.is_outermost);
    labels_.clear();
    events_.of(component.function, component.is_outermost, point, happenings, labels_);
    return !labels_.empty() || ends_here(component, point, happenings);
  }

  bool ends_here(const Component& component, std::uint32_t point,
                 const Happenings& happenings) const {
    const Point& at = program_.functions[component.function].points[point];
    return (happenings.escapes && (tracking_.ends_with_release || tracking_.undefined)) ||
           (tracking_.ends_with_release && happenings.arguments != 0 && at.callee.valid() &&
            events_.is_event(at));
  }

  /// The nodes at `point` with what is left of `state`: two, if the handle can be made there.
  std::vector<std::uint32_t> arrive(std::uint32_t c, std::uint32_t point, SymbolicState state) {
    const Component& component = components_[c];
    const FunctionId function = component.function;
    look_at(component);
    if (!pass(component, point, state)) {
      return {};
    }
    const PointKind kind = program_.functions[function].points[point].kind;
    if (kind == PointKind::Return || kind == PointKind::Unwind || kind == PointKind::Longjmp) {
      semantics_.forget_locals(function, state);
    } else if (kind == PointKind::Halt) {
      state = {};
    } else {
      semantics_.forget(function, point, state);
    }
    std::vector<std::uint32_t> nodes;
    if (state.phase == Phase::Waiting &&
        semantics_.is_origin(function, point, component.is_outermost)) {
      SymbolicState chosen = state;
      chosen.phase = Phase::Chosen;
      nodes.push_back(add_node(c, point, states_.intern(std::move(chosen))));
    }
    nodes.push_back(add_node(c, point, states_.intern(std::move(state))));
    return nodes;
  }

  void go(std::uint32_t c, std::uint32_t from, std::uint32_t point, SymbolicState state) {
    for (const std::uint32_t to : arrive(c, point, std::move(state))) {
      std::vector<std::uint32_t>& next = components_[c].nodes[from].next;
      if (std::find(next.begin(), next.end(), to) == next.end()) {
        next.push_back(to);
      }
    }
  }

  void expand(std::uint32_t c, std::uint32_t n) {
    const FunctionId f = components_[c].function;
    const Function& function = program_.functions[f];
    const std::uint32_t p = components_[c].nodes[n].point;
    SymbolicState before = states_[components_[c].nodes[n].state];
    if (components_[c].nodes[n].is_end) {
      end_handle(before);
    }
    look_at(components_[c]);
    if (p == kStuck) {
      components_[c].nodes[n].next.push_back(n);
      return;
    }
    const Point& point = function.points[p];
    switch (point.kind) {
      case PointKind::Return:
      case PointKind::Unwind:
      case PointKind::Longjmp:
        add_exit(c, n);
        return;
      case PointKind::Halt:
        components_[c].nodes[n].next.push_back(n);
        return;
      default:
        break;
    }
    for (const FunctionId target : point.targets) {
      call(c, n, target, before);
    }
    if (point.kind == PointKind::Call && !point.repeats) {
      return;
    }
    std::vector<SymbolicState> after;
    if (point.kind == PointKind::Call) {
      after.push_back(before);
    } else {
      semantics_.step(f, p, before, after);
    }
    for (const SymbolicState& state : after) {
      for (const std::uint32_t next : components_[c].relevance->next(p)) {
        go(c, n, next, state);
      }
    }
    if (point.unwind != UINT32_MAX && point.kind == PointKind::Step) {
      SymbolicState thrown = before;
      thrown.phase = thrown.phase == Phase::Chosen ? Phase::Waiting : thrown.phase;
      go(c, n, point.unwind, std::move(thrown));
    }
  }

  static void end_handle(SymbolicState& state) {
    if (const std::optional<std::uint32_t> handle = state.handle()) {
      state.symbols[*handle].is_handle = false;
      state.phase = Phase::Kept;
    }
  }

  void call(std::uint32_t c, std::uint32_t n, FunctionId target, const SymbolicState& before) {
    const FunctionId f = components_[c].function;
    const std::uint32_t p = components_[c].nodes[n].point;
    const Function& function = program_.functions[f];
    const Point& point = function.points[p];
    const bool is_outermost = components_[c].is_outermost;
    if (!events_.is_event(point) && semantics_.matters(f, p, target, before, is_outermost)) {
      Box box;
      SymbolicState entry = semantics_.enter(f, p, target, before, box.symbols);
      box.node = n;
      box.target = target;
      // Symbols of the entry that say nothing there stay: the caller knows them by number.
      box.component =
          component_of(target, false, std::move(entry),
                       index_.relevance(target, semantics_.seeds_of_call(f, p, target, before)));
      look_at(components_[c]);
      const auto index = static_cast<std::uint32_t>(components_[c].boxes.size());
      const std::uint32_t callee = box.component;
      components_[c].boxes.push_back(std::move(box));
      components_[callee].callers.emplace_back(c, index);
      for (std::uint32_t e = 0; e < components_[callee].exits.size(); ++e) {
        come_back(c, index, e);
      }
      return;
    }
    const Outcomes& outcomes = program_.functions[target].outcomes;
    SymbolicState state = before;
    look_at(components_[c]);
    semantics_.step_over(f, p, target, state);
    if (outcomes.returns) {
      if (point.repeats) {
        go(c, n, p, state);
      } else {
        for (const std::uint32_t next : components_[c].relevance->next(p)) {
          go(c, n, next, state);
        }
      }
    }
    if (outcomes.unwinds) {
      go(c, n, unwind_target(point), state);
    }
    if (outcomes.longjmps) {
      go(c, n, function.longjmp_target, state);
    }
    if (outcomes.halts) {
      go(c, n, Function::kHalt, state);
    }
    if (outcomes == Outcomes{} ||
        (reduction_ != Reduction::Events && program_.functions[target].may_diverge)) {
      const std::uint32_t stuck = add_node(c, kStuck, states_.intern({}));
      components_[c].nodes[n].next.push_back(stuck);
    }
  }

  void add_exit(std::uint32_t c, std::uint32_t n) {
    const auto exit = static_cast<std::uint32_t>(components_[c].exits.size());
    components_[c].exits.push_back(n);
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> callers = components_[c].callers;
    for (const auto& [caller, box] : callers) {
      come_back(caller, box, exit);
    }
  }

  void come_back(std::uint32_t c, std::uint32_t b, std::uint32_t exit) {
    const Box& box = components_[c].boxes[b];
    const Component& callee = components_[box.component];
    const Node& end = callee.nodes[callee.exits[exit]];
    const FunctionId f = components_[c].function;
    const Function& function = program_.functions[f];
    const std::uint32_t p = components_[c].nodes[box.node].point;
    const Point& point = function.points[p];
    look_at(components_[c]);
    SymbolicState state = semantics_.leave(
        f, p, box.target, states_[components_[c].nodes[box.node].state], states_[callee.entry],
        box.symbols, states_[end.state], end.point == Function::kReturn);
    // A function that releases or writes it on some paths only tells its caller which, mostly.
    if (releasing_.count(box.target) != 0 && state.phase == Phase::Alive) {
      end_handle(state);
    }
    std::vector<std::uint32_t> to;
    if (end.point == Function::kReturn) {
      to = point.repeats ? std::vector<std::uint32_t>{p} : components_[c].relevance->next(p);
    } else {
      to.push_back(end.point == Function::kUnwind ? unwind_target(point) : function.longjmp_target);
    }
    std::vector<std::uint32_t> nodes;
    for (const std::uint32_t next : to) {
      const std::vector<std::uint32_t> arrived = arrive(c, next, state);
      nodes.insert(nodes.end(), arrived.begin(), arrived.end());
    }
    components_[c].boxes[b].returns[exit] = std::move(nodes);
  }

  void find_releasing() {
    result_.releasing = releasing_;
    std::map<FunctionId, std::pair<bool, bool>> ends;  // with the handle alive, and without
    for (std::size_t c = 1; c < components_.size(); ++c) {
      for (const std::uint32_t exit : components_[c].exits) {
        const SymbolicState& state = states_[components_[c].nodes[exit].state];
        // Where something else was written, nothing is the handle any more.
        const std::optional<std::uint32_t> handle = state.handle();
        const bool is_written =
            (tracking_.undefined || tracking_.null) &&
            std::none_of(state.bindings.begin(), state.bindings.end(), [&](const Binding& one) {
              return handle && one.datum.is_symbol(*handle);
            });
        auto& [alive, ended] = ends[components_[c].function];
        alive |= state.phase == Phase::Alive && !is_written;
        ended |= state.phase == Phase::Kept || is_written;
      }
    }
    for (const auto& [function, both] : ends) {
      if ((tracking_.ends_with_release || tracking_.undefined || tracking_.null) && both.first &&
          both.second) {
        result_.releasing.insert(function);
      }
    }
  }

  void find_entered() {
    for (const Box& first : components_[0].boxes) {
      std::vector<std::uint32_t> work = {first.component};
      while (!work.empty()) {
        const Component& component = components_[work.back()];
        work.pop_back();
        if (result_.entered_at
                .try_emplace(component.function, components_[0].nodes[first.node].point)
                .second) {
          for (const Box& box : component.boxes) {
            work.push_back(box.component);
          }
        }
      }
    }
  }

  // ---- emitting ------------------------------------------------------------------------------

  std::string name_of(std::uint32_t c) const {
    const std::string_view name = program_.text(program_.functions[components_[c].function].name);
    return c == 0 ? std::string(name) : fmt::format("{}#{}", name, c);
  }

  bool is_exit(const Node& node) const {
    return node.point == Function::kReturn || node.point == Function::kUnwind ||
           node.point == Function::kLongjmp;
  }

  void emit(std::uint32_t c) {
    const Component& component = components_[c];
    const Function& function = program_.functions[component.function];
    const auto count = static_cast<std::uint32_t>(component.nodes.size());
    FlowGraph flow(count);
    std::vector<std::uint8_t> keep(count, 0);
    for (std::uint32_t n = 0; n < count; ++n) {
      const Node& node = component.nodes[n];
      keep[n] = node.point < Function::kFirst || node.point == kStuck || !node.labels.empty() ||
                        reduction_ == Reduction::Nothing
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
    result_.sliced.components.push_back({component.function, {}, component.is_outermost});
    result_.sliced.points.emplace_back();
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
      const Node& node = component.nodes[n];
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
      result_.sliced.points.back().push_back(
          node.point == kStuck ? static_cast<std::uint32_t>(function.points.size()) : node.point);
      for (const std::string& label : node.labels) {
        builder_.label(label);
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
      const Box& box = component.boxes[b];
      const Point& point = function.points[component.nodes[box.node].point];
      const std::string name =
          fresh(fmt::format("{}_L{}_{}", program_.text(program_.functions[box.target].source_name),
                            point.place.line, point.place.column));
      builder_.box(name, name_of(box.component));
      builder_.transition(Ref::node(names[box.node]), Ref::box_node(name, "entry"));
      for (; port < ports.size() && ports[port].box == b; ++port) {
        const std::string exit = exit_name(box.component, ports[port].exit);
        for (const std::uint32_t to : flow.next(ports[port].point)) {
          builder_.transition(Ref::box_node(name, exit), Ref::node(names[to]));
        }
      }
    }
  }

  /// As emit() names it: by kind, numbered in the order of nodes.
  std::string exit_name(std::uint32_t c, std::uint32_t exit) const {
    constexpr std::string_view kEnds[] = {"entry", "return", "unwind", "longjmp", "halt"};
    const Component& component = components_[c];
    const std::uint32_t n = component.exits[exit];
    const std::uint32_t point = component.nodes[n].point;
    unsigned times = 0;
    for (std::uint32_t i = 0; i <= n; ++i) {
      times += component.nodes[i].point == point ? 1 : 0;
    }
    return times == 1 ? std::string(kEnds[point]) : fmt::format("{}.{}", kEnds[point], times);
  }

  ProgramIndex& index_;
  const Program& program_;
  const Tracking& tracking_;
  const std::set<FunctionId>& releasing_;  // on some paths, and on others not
  Semantics semantics_;
  const HandleEvents& events_;
  Reduction reduction_;
  StateTable states_;
  std::vector<Component> components_;
  std::map<std::tuple<FunctionId, bool, StateId>, std::uint32_t> component_index_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> work_;  // component and node
  std::size_t node_count_ = 0;
  std::vector<std::string> labels_;  // of a point that is passed, or is not
  model::ModelBuilder builder_;
  ExploredModel result_;
};

}  // namespace

ExploredModel explore(ProgramIndex& index, FunctionId root, const Tracking& tracking,
                      const HandleEvents& events, Reduction reduction) {
  index.forget_relevance();
  const std::string name =
      fmt::format("{} {} {} {} {:d}{:d}{:d}{:d}{:d}{:d}", tracking.origin->function.value(),
                  tracking.origin->point, tracking.origin->parameter,
                  tracking.origin->member.value(), tracking.origin->is_handed_out, tracking.failure,
                  tracking.undefined, tracking.address, tracking.null, tracking.ends_with_release);
  if (index.too_large().count(name) != 0) {
    ExploredModel model;
    model.is_too_large = true;
    return model;
  }
  std::set<FunctionId> releasing;
  for (;;) {
    ExploredModel model = Explorer(index, tracking, events, reduction, releasing).run(root);
    if (model.is_too_large && reduction != Reduction::Nothing) {
      index.too_large().insert(name);
    }
    if (model.is_too_large || model.releasing.size() == releasing.size()) {
      return model;
    }
    releasing = std::move(model.releasing);
  }
}

}  // namespace nestor::program
