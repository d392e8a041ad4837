#include "program/explorer.h"

#include "program/component_table.h"
#include "program/exploration.h"
#include "program/exploration_order.h"
#include "program/state_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

namespace nestor::program {

namespace {

using Box = Exploration::Box;
using Component = Exploration::Component;
using Node = Exploration::Node;
using Phase = SymbolicState::Phase;

constexpr std::uint8_t kMostChanges = 3;  // of a merged state, before numbers are let go

class Explorer {
 public:
  Explorer(ProgramIndex& index, const Tracking& tracking, const HandleEvents& events,
           Reduction reduction, States how, const std::set<FunctionId>& releasing,
           ExploredCallees* callees)
      : index_(index),
        program_(index.program()),
        tracking_(tracking),
        releasing_(releasing),
        semantics_(index, tracking),
        events_(events),
        reduction_(reduction),
        is_merging_(how == States::Merged),
        goes_to_ends_(reduction == Reduction::Events && events.sees_only_handle()),
        components_(program_, tracking, releasing, is_merging_,
                    most_nodes(tracking, reduction, is_merging_), callees) {}

  ExploredModel run(FunctionId root) {
    SymbolicState start = semantics_.initial(root);
    component_of(root, true, std::move(start),
                 index_.relevance(root, semantics_.seeds_of_root(root)));
    while (!order_.is_empty()) {
      const auto [component, node] = order_.next();
      if (node == ExplorationOrder::kDone) {
        deliver(component);
        continue;
      }
      expand(component, node);
      components_.count_expansion(component);
      if (components_.is_too_large()) {
        components_.keep(order_.open(components_.size()));
        ExploredModel result;
        result.steps = components_.expanded();
        result.is_too_large = true;
        return result;
      }
    }
    components_.complete();
    ExploredModel result;
    result.steps = components_.expanded();
    result.releasing = releasing_;
    result.releasing.merge(releasing_functions(components_.exploration(), components_, tracking_));
    if (result.releasing.size() > releasing_.size()) {
      components_.keep(order_.open(components_.size()));
      return result;  // once more, now that this is known
    }
    for (const Node& node : at(0).nodes) {
      result.outlives_root |= node.happenings.is_returned && node.is_reached;
    }
    result.entered_at = entered_functions(components_.exploration());
    find_ends(result);
    result.propositions = propositions_of(components_.exploration(), events_);
    result.is_settled = events_.is_settled_by(result.propositions);
    if (!result.is_settled) {
      result.sliced = model_of(components_.exploration(), program_, events_, reduction_);
    }
    components_.keep(order_.open(components_.size()));
    return result;
  }

 private:
  /// What its own locals hold is gone there.
  void find_ends(ExploredModel& model) const {
    for (std::uint32_t e = 0; e < at(0).exits.size(); ++e) {
      const SymbolicState& end = components_.end_of(0, e);
      const std::optional<std::uint32_t> handle = end.handle();
      for (const Binding& binding : end.bindings) {
        if (handle && end.leads_to(binding.datum, *handle)) {
          (binding.slot.kind == Slot::Kind::Result ? model.is_given : model.is_stored) = true;
        }
      }
    }
  }

  Component& at(std::uint32_t c) const { return components_[c]; }

  void look_at(const Component& component) {
    semantics_.look_at(*component.relevance, &states_[component.entry]);
  }

  // ---- exploring -----------------------------------------------------------------------------

  std::uint32_t component_of(FunctionId function, bool is_outermost, SymbolicState entry,
                             const Relevance& relevance) {
    semantics_.look_at(relevance, &entry);
    semantics_.forget(function, Function::kEntry, entry);
    const StateId state = states_.intern(std::move(entry));
    const std::size_t count = components_.size();
    const std::uint32_t c = components_.find(function, is_outermost, state, relevance);
    if (c == count && !components_.is_known(c)) {
      add_node(c, Function::kEntry, states_[state]);
    }
    return c;
  }

  /// What of a state tells nodes of one point apart.
  std::uint32_t key_of(const SymbolicState& state, StateId exact) {
    if (!is_merging_) {
      return exact.value();
    }
    if (exact.value() >= shape_of_state_.size()) {
      shape_of_state_.resize(states_.size(), kNowhere);
    }
    std::uint32_t& shape = shape_of_state_[exact.value()];
    if (shape == kNowhere) {
      shape = shapes_.try_emplace(shape_of(state), static_cast<std::uint32_t>(shapes_.size()))
                  .first->second;
    }
    return shape;
  }

  std::uint32_t add_node(std::uint32_t c, std::uint32_t point, SymbolicState state) {
    Component& component = at(c);
    assert(!components_.is_known(c));
    const StateId exact = states_.intern(std::move(state));
    const auto [found, fresh] = component.index.try_emplace(
        {point, key_of(states_[exact], exact)}, static_cast<std::uint32_t>(component.nodes.size()));
    const std::uint32_t n = found->second;
    if (fresh) {
      Node node;
      node.point = point;
      node.state = exact;
      component.nodes.push_back(std::move(node));
      components_.count_nodes(c, 1);
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
      order_.add(c, point, n);
    }
    return n;
  }

  void describe(const Component& component, Node& node) {
    if (node.point != kStuck) {
      node.happenings = semantics_.happenings(component.function, node.point, states_[node.state],
                                              component.is_outermost);
      node.is_seen =
          events_.has(component.function, component.is_outermost, node.point, node.happenings);
      node.is_end = ends_here(component, node.point, node.happenings);
    }
  }

  /// Goes on over points that no node is needed for: nothing else comes there, the rule sees
  /// nothing there, and there is one way on. False: none of these ways is possible.
  bool pass(const Component& component, std::uint32_t& point, SymbolicState& state) {
    if (reduction_ == Reduction::Nothing) {
      return true;
    }
    std::vector<SymbolicState>& after = after_passing_;
    while (component.relevance->is_link(point) &&
           !(state.phase == Phase::Waiting &&
             semantics_.is_origin(component.function, point, component.is_outermost)) &&
           !is_seen(component, point, state)) {
      after.clear();
      const bool is_used_up = semantics_.has_one_way(component.function, point);
      semantics_.step(component.function, point, is_used_up ? std::move(state) : state, after);
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
    return events_.has(component.function, component.is_outermost, point, happenings) ||
           ends_here(component, point, happenings);
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
    const Component& component = at(c);
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
    if (point == Function::kLongjmp && tracking_.ends_with_release &&
        at(c).nodes[from].point == program_.functions[at(c).function].longjmp_target) {
      return;  // it is for a setjmp of this function
    }
    for (const std::uint32_t to : arrive(c, point, std::move(state))) {
      Exploration::NodeList& next = at(c).nodes[from].next;
      if (std::find(next.begin(), next.end(), to) == next.end()) {
        next.push_back(to);
      }
    }
  }

  void expand(std::uint32_t c, std::uint32_t n) {
    const FunctionId f = at(c).function;
    const Function& function = program_.functions[f];
    const std::uint32_t p = at(c).nodes[n].point;
    SymbolicState kept;
    if (at(c).nodes[n].is_end) {
      kept = states_[at(c).nodes[n].state];
      kept.keep_handle();
    }
    const SymbolicState& before = at(c).nodes[n].is_end ? kept : states_[at(c).nodes[n].state];
    at(c).nodes[n].is_expanded = true;
    if (is_merging_) {
      begin_again(at(c), n);
    }
    look_at(at(c));
    if (p == kStuck || function.points[p].kind == PointKind::Halt) {
      at(c).nodes[n].next.push_back(n);
      return;
    }
    const Point& point = function.points[p];
    switch (point.kind) {
      case PointKind::Return:
      case PointKind::Unwind:
      case PointKind::Longjmp:
        add_exit(c, n);
        return;
      default:
        break;
    }
    // What a callee returns and writes matters to its caller, who may still make the handle.
    const bool is_awaited = before.phase == Phase::Waiting && !at(c).is_outermost;
    if (goes_to_ends_ && !is_awaited && semantics_.is_over(p, before)) {
      // Who asks for more than loss looks at what comes later, and is as large as the function.
      if (!tracking_.ends_with_release) {
        components_.count_nodes(c, pass_over(at(c), function, p, before.phase));
      }
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
    std::vector<SymbolicState>& after = after_;
    after.clear();
    if (point.kind == PointKind::Call) {
      after.push_back(before);
    } else {
      semantics_.step(f, p, before, after);
    }
    const std::span<const std::uint32_t> following = at(c).relevance->next(p);
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
    const FunctionId f = at(c).function;
    const std::uint32_t p = at(c).nodes[n].point;
    const Function& function = program_.functions[f];
    const Point& point = function.points[p];
    const bool matters =
        !events_.is_event(point) && semantics_.matters(f, p, target, before, at(c).is_outermost);
    const bool is_far = matters && is_too_far(components_.size(), tracking_, before, is_merging_);
    at(c).is_cut |= is_far && !is_too_far(0, tracking_, before, is_merging_);
    if (matters && !is_far) {
      Box box;
      const Relevance& relevance =
          index_.relevance(target, semantics_.seeds_of_call(f, p, target, before));
      SymbolicState entry = semantics_.enter(f, p, target, relevance, before, box.symbols);
      box.node = n;
      box.target = target;
      // Symbols of the entry that say nothing there stay: the caller knows them by number.
      const std::uint32_t callee = component_of(target, false, std::move(entry), relevance);
      look_at(at(c));
      const std::uint32_t index = components_.add_box(c, std::move(box), callee);
      for (std::uint32_t e = 0; e < at(callee).exits.size(); ++e) {
        come_back(c, index, e);
      }
      return;
    }
    const Outcomes& outcomes = program_.functions[target].outcomes;
    SymbolicState state = before;
    if (matters) {
      state.keep_handle();  // whatever becomes of it there
    }
    look_at(at(c));
    semantics_.step_over(f, p, target, state);
    if (outcomes.returns) {
      if (point.repeats) {
        go(c, n, p, state);
      } else {
        for (const std::uint32_t next : at(c).relevance->next(p)) {
          go(c, n, next, state);
        }
      }
    }
    if (outcomes.unwinds) {
      go(c, n, unwind_target(point), state);
    }
    if (outcomes.longjmps && (!tracking_.ends_with_release || index_.jumps_out(target))) {
      semantics_.come_from_longjmp(f, state);
      go(c, n, function.longjmp_target, state);
    }
    if (outcomes.halts) {
      go(c, n, Function::kHalt, state);
    }
    if (outcomes == Outcomes{} ||
        (reduction_ != Reduction::Events && program_.functions[target].may_diverge)) {
      const std::uint32_t stuck = add_node(c, kStuck, {});
      at(c).nodes[n].next.push_back(stuck);
    }
  }

  void add_exit(std::uint32_t c, std::uint32_t n) {
    std::vector<std::uint32_t>& exits = at(c).exits;
    const auto exit =
        static_cast<std::uint32_t>(std::find(exits.begin(), exits.end(), n) - exits.begin());
    if (exit == exits.size()) {
      exits.push_back(n);
    }
    if (is_merging_) {
      order_.add_done(c);
      return;
    }
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> callers = at(c).callers;
    for (const auto& [caller, box] : callers) {
      come_back(caller, box, exit);
    }
  }

  /// Where states are merged, callers see an end only when nothing changes it any more, recursion
  /// aside: what they find does not depend on whether the callee was explored just now.
  void deliver(std::uint32_t c) {
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> callers = at(c).callers;
    for (const auto& [caller, box] : callers) {
      for (std::uint32_t exit = 0; exit < at(c).exits.size(); ++exit) {
        come_back(caller, box, exit);
      }
    }
  }

  void come_back(std::uint32_t c, std::uint32_t b, std::uint32_t exit) {
    const Box& box = at(c).boxes[b];
    if (box.is_left) {
      return;
    }
    const std::uint32_t from = components_.callee_of(c, b);
    const Component& callee = at(from);
    const Node& end = callee.nodes[callee.exits[exit]];
    const FunctionId f = at(c).function;
    const Function& function = program_.functions[f];
    const std::uint32_t p = at(c).nodes[box.node].point;
    const Point& point = function.points[p];
    look_at(at(c));
    SymbolicState state = semantics_.leave(
        f, p, box.target, states_[at(c).nodes[box.node].state], components_.entry_of(from),
        box.symbols, components_.end_of(from, exit), end.point == Function::kReturn);
    // A function that releases or writes it on some paths only tells its caller which, mostly.
    if (box.is_releasing && state.phase == Phase::Alive &&
        components_.entry_of(from).phase == Phase::Alive &&
        is_believed(tracking_, components_.looks_inside(from), at(c), p, *function.action_of(p),
                    tells_failure(components_.end_of(from, exit), index_.results_of(box.target)))) {
      state.keep_handle();
    }
    Exploration::NodeList to;
    if (end.point == Function::kLongjmp) {
      semantics_.come_from_longjmp(f, state);
    }
    if (end.point == Function::kReturn) {
      const std::span<const std::uint32_t> next = at(c).relevance->next(p);
      to = point.repeats ? Exploration::NodeList{p}
                         : Exploration::NodeList(next.begin(), next.end());
    } else {
      to.push_back(end.point == Function::kUnwind ? unwind_target(point) : function.longjmp_target);
    }
    Exploration::NodeList nodes;
    for (const std::uint32_t next : to) {
      const Exploration::NodeList arrived = arrive(c, next, state);
      nodes.insert(nodes.end(), arrived.begin(), arrived.end());
    }
    at(c).boxes[b].returns[exit] = std::move(nodes);
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
  ComponentTable components_;
  StateTable& states_ = components_.states();
  // Where states are merged: numbers of shapes, and by state.
  std::map<std::vector<std::int64_t>, std::uint32_t> shapes_;
  std::vector<std::uint32_t> shape_of_state_;
  ExplorationOrder order_{is_merging_};
  std::vector<SymbolicState> after_;          // used at every step, and again
  std::vector<SymbolicState> after_passing_;  // likewise
};

}  // namespace

ExploredModel explore(ProgramIndex& index, FunctionId root, const Tracking& tracking,
                      const HandleEvents& events, Reduction reduction, States how,
                      ExploredCallees* callees) {
  index.forget_relevance();
  // All points are nodes only where a path is to be told, and addresses are those of one local.
  if (reduction == Reduction::Nothing || tracking.address) {
    callees = nullptr;
  }
  const std::string name = fmt::format("{} {:d}", name_of(tracking), how == States::Merged);
  if (index.too_large().count(name) != 0) {
    ExploredModel model;
    model.is_too_large = true;
    return model;
  }
  std::set<FunctionId> releasing;
  for (;;) {
    ExploredModel model =
        Explorer(index, tracking, events, reduction, how, releasing, callees).run(root);
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
