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
constexpr std::size_t kMostEntered = 32;      // functions with what is known, then
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
        is_merging_(how == States::Merged) {}

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
      drop_unreached();
    }
    find_releasing();
    if (result_.releasing.size() > releasing_.size()) {
      return std::move(result_);  // once more, now that this is known
    }
    for (const Node& node : components_[0].nodes) {
      result_.outlives_root |= node.is_returned;
    }
    find_entered();
    result_.sliced = model_of(exploration_, program_, reduction_);
    return std::move(result_);
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
      nodes.push_back(add_node(c, point, std::move(chosen)));
    }
    nodes.push_back(add_node(c, point, std::move(state)));
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
    components_[c].nodes[n].is_expanded = true;
    if (is_merging_) {
      begin_again(c, n);
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

  /// What followed from the state that the node had before goes.
  void begin_again(std::uint32_t c, std::uint32_t n) {
    components_[c].nodes[n].next.clear();
    for (Box& box : components_[c].boxes) {
      box.is_left |= box.node == n;
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
    const bool matters =
        !events_.is_event(point) && semantics_.matters(f, p, target, before, is_outermost);
    if (matters && !is_too_far(before)) {
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
    if (matters) {
      end_handle(state);  // whatever becomes of it there
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
      come_from_longjmp(function, state);
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

  /// Who asks whether something is lost does not follow it into ever more functions: what is passed
  /// on then is taken to be kept, and the rest can still be told.
  bool is_too_far(const SymbolicState& before) const {
    if (tracking_.is_shallow && before.phase == Phase::Alive) {
      return true;
    }
    return tracking_.ends_with_release &&
           components_.size() >= (is_merging_ ? kMostEntered : 2 * kMostEntered);
  }

  /// What setjmp gives then is not 0.
  void come_from_longjmp(const Function& function, SymbolicState& state) const {
    for (std::uint32_t p = 0; p < function.points.size(); ++p) {
      const Action* action = function.action_of(p);
      if (action != nullptr && action->kind == Action::Kind::Call && action->result.valid() &&
          program_.text(function.points[p].callee).ends_with("setjmp")) {
        Symbol symbol;
        symbol.numbers = NumberSet::except(0);
        state.bind(Slot::of_register(action->result), Datum::of_symbol(state.add_symbol(symbol)),
                   {});
      }
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
        states_[callee.entry].phase == Phase::Alive && is_believed(callee, components_[c], p)) {
      end_handle(state);
    }
    std::vector<std::uint32_t> to;
    if (end.point == Function::kLongjmp) {
      come_from_longjmp(function, state);
    }
    if (end.point == Function::kReturn) {
      const std::span<const std::uint32_t> next = components_[c].relevance->next(p);
      to = point.repeats ? std::vector<std::uint32_t>{p}
                         : std::vector<std::uint32_t>(next.begin(), next.end());
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

  /// Who only asks whether it is lost believes a function that decides by what lies in the handle,
  /// and one whose caller can still release it; if nobody will, there is nothing to know.
  bool is_believed(const Component& callee, const Component& caller, std::uint32_t point) const {
    return !tracking_.ends_with_release || callee.relevance->looks_inside() ||
           caller.relevance->may_act_after(point);
  }

  /// What a state led to before it was merged with others need not be reached any more: it has no
  /// labels then.
  void drop_unreached() {
    std::set<std::pair<std::uint32_t, std::uint32_t>> reached;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> work;
    const auto reach = [&](std::uint32_t c, std::uint32_t n) {
      if (reached.emplace(c, n).second) {
        work.emplace_back(c, n);
      }
    };
    reach(0, 0);
    while (!work.empty()) {
      const auto [c, n] = work.back();
      work.pop_back();
      for (const std::uint32_t next : components_[c].nodes[n].next) {
        reach(c, next);
      }
      for (const Box& box : components_[c].boxes) {
        if (box.node != n || box.is_left) {
          continue;
        }
        reach(box.component, 0);
        for (const auto& [exit, nodes] : box.returns) {
          for (const std::uint32_t next : nodes) {
            reach(c, next);
          }
        }
      }
    }
    for (std::uint32_t c = 0; c < components_.size(); ++c) {
      for (std::uint32_t n = 0; n < components_[c].nodes.size(); ++n) {
        if (reached.count({c, n}) == 0) {
          components_[c].nodes[n].labels.clear();
          components_[c].nodes[n].is_returned = false;
          components_[c].nodes[n].state = states_.intern({});
        }
      }
    }
  }

  void find_releasing() {
    result_.releasing = releasing_;
    std::map<FunctionId, std::pair<bool, bool>> ends;  // with the handle alive, and without
    for (std::size_t c = 1; c < components_.size(); ++c) {
      if (states_[components_[c].entry].phase != Phase::Alive) {
        continue;  // it makes the handle itself
      }
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
      if (first.is_left) {
        continue;
      }
      std::vector<std::uint32_t> work = {first.component};
      while (!work.empty()) {
        const Component& component = components_[work.back()];
        work.pop_back();
        if (result_.entered_at
                .try_emplace(component.function, components_[0].nodes[first.node].point)
                .second) {
          for (const Box& box : component.boxes) {
            if (!box.is_left) {
              work.push_back(box.component);
            }
          }
        }
      }
    }
  }

  ProgramIndex& index_;
  const Program& program_;
  const Tracking& tracking_;
  const std::set<FunctionId>& releasing_;  // on some paths, and on others not
  Semantics semantics_;
  const HandleEvents& events_;
  Reduction reduction_;
  const bool is_merging_;
  StateTable states_;
  std::map<std::vector<std::int64_t>, std::uint32_t> shapes_;  // where states are merged
  Exploration exploration_;
  std::vector<Component>& components_ = exploration_.components;
  std::map<std::tuple<FunctionId, bool, StateId>, std::uint32_t> component_index_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> work_;                // component and node
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> order_;  // see add_work()
  std::size_t node_count_ = 0;
  std::vector<std::string> labels_;  // of a point that is passed, or is not
  ExploredModel result_;
};

}  // namespace

ExploredModel explore(ProgramIndex& index, FunctionId root, const Tracking& tracking,
                      const HandleEvents& events, Reduction reduction, States how) {
  index.forget_relevance();
  const std::string name = fmt::format(
      "{} {} {} {} {:d}{:d}{:d}{:d}{:d}{:d}{:d}{:d}", tracking.origin->function.value(),
      tracking.origin->point, tracking.origin->parameter, tracking.origin->member.value(),
      tracking.origin->is_handed_out, tracking.failure, tracking.undefined, tracking.address,
      tracking.null, tracking.ends_with_release, tracking.is_shallow, how == States::Merged);
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
