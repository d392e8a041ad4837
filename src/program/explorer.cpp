#include "program/explorer.h"

#include "program/exploration.h"
#include "program/state_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <set>
#include <tuple>

namespace nestor::program {

namespace {

using Box = Exploration::Box;
using Component = Exploration::Component;
using Node = Exploration::Node;
using Phase = SymbolicState::Phase;

constexpr std::size_t kMostNodes = 400;       // of one model
constexpr std::size_t kMostOfLoss = 1'000;    // where it is the second look
constexpr std::size_t kMostOfLocal = 120;     // of which there are many more than of what is made
constexpr std::size_t kMostOfStory = 10'000;  // where all points are nodes
constexpr std::size_t kMostMerged = 1'000;    // where states are merged
constexpr std::size_t kMostTimes = 4;         // that a node is expanded, on average
constexpr std::uint8_t kMostChanges = 3;      // of a merged state, before numbers are let go

class Explorer {
 public:
  Explorer(ProgramIndex& index, const Tracking& tracking, const HandleEvents& events,
           Reduction reduction, States how, const std::set<FunctionId>& releasing)
      : index_(index),
        program_(index.program()),
        tracking_(tracking),
        releasing_(releasing),
        semantics_(index, tracking),
        events_(events),
        reduction_(reduction),
        is_merging_(how == States::Merged),
        goes_to_ends_(reduction == Reduction::Events && events.sees_only_handle()) {}

  ExploredModel run(FunctionId root) {
    SymbolicState start = semantics_.initial(root);
    component_of(root, true, std::move(start),
                 index_.relevance(root, semantics_.seeds_of_root(root)));
    for (std::size_t expanded = 0; !work_.empty() || !order_.empty(); ++expanded) {
      const auto [component, node] = next_work();
      expand(component, node);
      if (node_count_ > most_nodes() || expanded > kMostTimes * most_nodes()) {
        ExploredModel result;
        result.is_too_large = true;
        return result;
      }
    }
    if (is_merging_) {
      drop_unreached(exploration_, states_);
    }
    ExploredModel result;
    result.releasing = releasing_;
    result.releasing.merge(releasing_functions(exploration_, states_, tracking_));
    if (result.releasing.size() > releasing_.size()) {
      return result;  // once more, now that this is known
    }
    for (const Node& node : components_[0].nodes) {
      result.outlives_root |= node.is_returned;
    }
    result.entered_at = entered_functions(exploration_);
    result.sliced = model_of(exploration_, program_, reduction_);
    return result;
  }

 private:
  std::size_t most_nodes() const {
    if (reduction_ == Reduction::Nothing) {
      return kMostOfStory;
    }
    if (is_merging_) {
      return kMostMerged;
    }
    return tracking_.undefined || tracking_.null || tracking_.address         ? kMostOfLocal
           : tracking_.ends_with_release && !tracking_.origin->member.valid() ? kMostOfLoss
                                                                              : kMostNodes;
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
      add_node(found->second, Function::kEntry, states_[state]);
    }
    return found->second;
  }

  /// What of a state tells nodes of one point apart.
  std::uint32_t key_of(const SymbolicState& state, StateId exact) {
    if (!is_merging_) {
      return exact.value();
    }
    return shapes_.try_emplace(shape_of(state), static_cast<std::uint32_t>(shapes_.size()))
        .first->second;
  }

  std::uint32_t add_node(std::uint32_t c, std::uint32_t point, SymbolicState state) {
    Component& component = components_[c];
    const StateId exact = states_.intern(std::move(state));
    const auto [found, fresh] = component.index.try_emplace(
        {point, key_of(states_[exact], exact)}, static_cast<std::uint32_t>(component.nodes.size()));
    const std::uint32_t n = found->second;
    if (fresh) {
      Node node;
      node.point = point;
      node.state = exact;
      component.nodes.push_back(std::move(node));
      ++node_count_;
    } else if (component.nodes[n].state == exact) {
      return n;
    } else {
      Node& node = component.nodes[n];
      const StateId both =
          states_.intern(joined(states_[node.state], states_[exact], node.changes >= kMostChanges));
      if (both == node.state) {
        return n;
      }
      node.state = both;
      node.changes =
          static_cast<std::uint8_t>(node.changes + (node.changes < kMostChanges ? 1 : 0));
    }
    describe(component, component.nodes[n]);
    if (fresh || component.nodes[n].is_expanded) {
      component.nodes[n].is_expanded = false;
      add_work(c, n);
    }
    return n;
  }

  void describe(const Component& component, Node& node) {
    node.labels.clear();
    if (node.point != kStuck) {
      const Happenings happenings = semantics_.happenings(
          component.function, node.point, states_[node.state], component.is_outermost);
      events_.of(component.function, component.is_outermost, node.point, happenings, node.labels);
      node.is_returned = happenings.is_returned;
      node.is_end = ends_here(component, node.point, happenings);
    }
  }

  /// Where states are merged, what comes first in the function is looked at first, and what is
  /// called before the rest of its caller, so that most states are known before they are used.
  void add_work(std::uint32_t c, std::uint32_t n) {
    if (is_merging_) {
      order_.emplace(UINT32_MAX - c, components_[c].nodes[n].point, n);
    } else {
      work_.emplace_back(c, n);
    }
  }

  std::pair<std::uint32_t, std::uint32_t> next_work() {
    std::pair<std::uint32_t, std::uint32_t> next;
    if (is_merging_) {
      next = {UINT32_MAX - std::get<0>(*order_.begin()), std::get<2>(*order_.begin())};
      order_.erase(order_.begin());
    } else {
      next = work_.back();
      work_.pop_back();
    }
    return next;
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
            events_.is_end(at, happenings.arguments));
  }

  /// The nodes at `point` with what is left of `state`: two, if the handle can be made there.
  Exploration::NodeList arrive(std::uint32_t c, std::uint32_t point, SymbolicState state) {
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
    Exploration::NodeList nodes;
    if (state.phase == Phase::Waiting &&
        semantics_.is_origin(function, point, component.is_outermost)) {
      SymbolicState chosen = state;
      chosen.phase = Phase::Chosen;
      nodes.push_back(add_node(c, point, std::move(chosen)));
    }
    nodes.push_back(add_node(c, point, std::move(state)));
    return nodes;
  }

  void go(std::uint32_t c, std::uint32_t from, std::uint32_t point, SymbolicState state) {
    for (const std::uint32_t to : arrive(c, point, std::move(state))) {
      Exploration::NodeList& next = components_[c].nodes[from].next;
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
      before.keep_handle();
    }
    components_[c].nodes[n].is_expanded = true;
    if (is_merging_) {
      begin_again(components_[c], n);
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
    // What a callee returns and writes matters to its caller, who may still make the handle.
    const bool is_awaited = before.phase == Phase::Waiting && !components_[c].is_outermost;
    if (goes_to_ends_ && !is_awaited && semantics_.is_over(p, before)) {
      node_count_ += pass_over(components_[c], function, p, before.phase,
                               tracking_.ends_with_release && before.phase != Phase::Waiting);
      const std::uint8_t ends = index_.ends_of(f, p);
      for (std::uint32_t end = Function::kReturn; end < Function::kFirst; ++end) {
        if ((ends >> end & 1U) != 0) {
          go(c, n, end, before);
        }
      }
      return;
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
    const std::span<const std::uint32_t> following = components_[c].relevance->next(p);
    for (SymbolicState& state : after) {
      for (const std::uint32_t next :
           following.subspan(0, following.empty() ? 0 : following.size() - 1)) {
        go(c, n, next, state);
      }
      if (!following.empty()) {
        go(c, n, following.back(), std::move(state));
      }
    }
    if (point.unwind != UINT32_MAX && point.kind == PointKind::Step) {
      SymbolicState thrown = before;
      thrown.phase = thrown.phase == Phase::Chosen ? Phase::Waiting : thrown.phase;
      go(c, n, point.unwind, std::move(thrown));
    }
  }

  void call(std::uint32_t c, std::uint32_t n, FunctionId target, const SymbolicState& before) {
    const FunctionId f = components_[c].function;
    const std::uint32_t p = components_[c].nodes[n].point;
    const Function& function = program_.functions[f];
    const Point& point = function.points[p];
    const bool is_outermost = components_[c].is_outermost;
    const bool matters =
        !events_.is_event(point) && semantics_.matters(f, p, target, before, is_outermost);
    if (matters && !is_too_far(exploration_, tracking_, before, is_merging_)) {
      Box box;
      const Relevance& relevance =
          index_.relevance(target, semantics_.seeds_of_call(f, p, target, before));
      SymbolicState entry = semantics_.enter(f, p, target, relevance, before, box.symbols);
      box.node = n;
      box.target = target;
      // Symbols of the entry that say nothing there stay: the caller knows them by number.
      box.component = component_of(target, false, std::move(entry), relevance);
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
    if (matters) {
      state.keep_handle();  // whatever becomes of it there
    }
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
      semantics_.come_from_longjmp(f, state);
      go(c, n, function.longjmp_target, state);
    }
    if (outcomes.halts) {
      go(c, n, Function::kHalt, state);
    }
    if (outcomes == Outcomes{} ||
        (reduction_ != Reduction::Events && program_.functions[target].may_diverge)) {
      const std::uint32_t stuck = add_node(c, kStuck, {});
      components_[c].nodes[n].next.push_back(stuck);
    }
  }

  void add_exit(std::uint32_t c, std::uint32_t n) {
    std::vector<std::uint32_t>& exits = components_[c].exits;
    const auto exit =
        static_cast<std::uint32_t>(std::find(exits.begin(), exits.end(), n) - exits.begin());
    if (exit == exits.size()) {
      exits.push_back(n);
    }
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> callers = components_[c].callers;
    for (const auto& [caller, box] : callers) {
      come_back(caller, box, exit);
    }
  }

  void come_back(std::uint32_t c, std::uint32_t b, std::uint32_t exit) {
    const Box& box = components_[c].boxes[b];
    if (box.is_left) {
      return;
    }
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
    if (releasing_.count(box.target) != 0 && state.phase == Phase::Alive &&
        states_[callee.entry].phase == Phase::Alive &&
        is_believed(tracking_, callee, components_[c], p)) {
      state.keep_handle();
    }
    std::vector<std::uint32_t> to;
    if (end.point == Function::kLongjmp) {
      semantics_.come_from_longjmp(f, state);
    }
    if (end.point == Function::kReturn) {
      const std::span<const std::uint32_t> next = components_[c].relevance->next(p);
      to = point.repeats ? std::vector<std::uint32_t>{p}
                         : std::vector<std::uint32_t>(next.begin(), next.end());
    } else {
      to.push_back(end.point == Function::kUnwind ? unwind_target(point) : function.longjmp_target);
    }
    Exploration::NodeList nodes;
    for (const std::uint32_t next : to) {
      const Exploration::NodeList arrived = arrive(c, next, state);
      nodes.insert(nodes.end(), arrived.begin(), arrived.end());
    }
    components_[c].boxes[b].returns[exit] = std::move(nodes);
  }

  ProgramIndex& index_;
  const Program& program_;
  const Tracking& tracking_;
  const std::set<FunctionId>& releasing_;  // on some paths, and on others not
  Semantics semantics_;
  const HandleEvents& events_;
  Reduction reduction_;
  const bool is_merging_;
  const bool goes_to_ends_;  // what is between them and where all is over does not matter
  StateTable states_;
  std::map<std::vector<std::int64_t>, std::uint32_t> shapes_;  // where states are merged
  Exploration exploration_;
  std::vector<Component>& components_ = exploration_.components;
  base::PooledMap<std::tuple<FunctionId, bool, StateId>, std::uint32_t> component_index_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> work_;  // component and node
  base::PooledSet<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>
      order_;  // see add_work()
  std::size_t node_count_ = 0;
  std::vector<std::string> labels_;  // of a point that is passed, or is not
};

}  // namespace

ExploredModel explore(ProgramIndex& index, FunctionId root, const Tracking& tracking,
                      const HandleEvents& events, Reduction reduction, States how) {
  index.forget_relevance();
  const std::string name = fmt::format("{} {:d}", name_of(tracking), how == States::Merged);
  if (index.too_large().count(name) != 0) {
    ExploredModel model;
    model.is_too_large = true;
    return model;
  }
  std::set<FunctionId> releasing;
  for (;;) {
    ExploredModel model = Explorer(index, tracking, events, reduction, how, releasing).run(root);
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
