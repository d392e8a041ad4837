#include "program/slice.h"

#include "model/builder.h"
#include "program/flow_graph.h"
#include "program/slice_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <unordered_map>
#include <utility>

namespace nestor::program {

namespace {

using Ref = model::ModelBuilder::Ref;

constexpr std::uint32_t kNone = SliceDrafts::kNone;

enum class Exit : std::uint8_t { Return, Unwind, Longjmp };

/// A way in which a call that is entered comes back.
struct BoxReturn {
  std::uint32_t point = 0;  ///< of the call
  FunctionId target;
  Exit exit = Exit::Return;
  std::uint32_t port = 0;  ///< its own point in the flow graph
};

Outcomes only(const Outcomes& outcomes, Exit exit) {
  return {exit == Exit::Return && outcomes.returns, exit == Exit::Unwind && outcomes.unwinds,
          exit == Exit::Longjmp && outcomes.longjmps, false};
}

class Slicer {
 public:
  Slicer(const Program& program, const std::vector<ComponentKey>& roots, const SliceLabels& labels)
      : program_(program),
        reduction_(labels.reduction()),
        drafts_(program, roots, labels),
        builder_("program") {}

  SlicedModel run() {
    for (const Draft& draft : drafts_.all()) {
      if (draft.kept) {
        emit(draft);
      }
    }
    if (drafts_.roots().size() > 1) {
      emit_start();
    } else {
      builder_.initial_component(name_of(drafts_[drafts_.roots().front()].key));
    }
    result_.model = builder_.finish();
    return std::move(result_);
  }

 private:
  std::string name_of(const ComponentKey& key) const {
    const Function& function = program_.functions[key.function];
    const std::string_view outermost = key.is_outermost ? "<outermost>" : "";
    return key.handle.valid()
               ? fmt::format("{}[{}]{}", program_.text(function.name),
                             program_.text(program_.variables[key.handle].name), outermost)
               : fmt::format("{}{}", program_.text(function.name), outermost);
  }

  // One component. Points get names by their place. Two kinds of points follow the function's own:
  // a `stuck` one, for calls that never come back, and one for each way in which a box returns.
  void emit(const Draft& draft) {
    const Function& function = program_.functions[draft.key.function];
    stuck_ = static_cast<std::uint32_t>(function.points.size());
    returns_.clear();
    FlowGraph flow(stuck_ + 1);
    std::vector<std::uint8_t> marks(stuck_ + 1, 0);
    reach(draft, function, flow, marks);
    std::vector<std::uint8_t> keep(flow.size(), 1);
    for (std::uint32_t p = 0; p <= stuck_; ++p) {
      const bool stays = reduction_ == Reduction::Nothing || (marks[p] & (kHasBox | kEnd)) != 0;
      keep[p] = stays ? 1 : 0;
    }
    for (const auto& [point, labels] : draft.labels) {
      keep[point] = 1;
    }
    flow.reduce(keep);
    emit_nodes(draft, function, flow, marks);
    emit_transitions(draft, function, flow, marks);
  }

  static constexpr std::uint8_t kHasBox = 2;
  static constexpr std::uint8_t kEnd = 4;  // the entry, an exit, halt or stuck
  static constexpr std::uint8_t kIn = 8;   // reached from the entry

  /// Fills `flow` with the steps from the entry on. From calls that are entered nothing leads on;
  /// the steps after them start at the box's returns.
  void reach(const Draft& draft, const Function& function, FlowGraph& flow,
             std::vector<std::uint8_t>& marks) {
    for (std::uint32_t end = Function::kEntry; end < Function::kFirst; ++end) {
      marks[end] |= kEnd;
    }
    marks[stuck_] |= kEnd;
    std::vector<std::uint32_t> stack = {Function::kEntry};
    marks[Function::kEntry] |= kIn;
    const auto visit = [&](std::uint32_t to) {
      if ((marks[to] & kIn) == 0) {
        marks[to] |= kIn;
        stack.push_back(to);
      }
    };
    const auto step = [&](std::uint32_t from, std::uint32_t to) {
      flow.add(from, to);
      visit(to);
    };
    while (!stack.empty()) {
      const std::uint32_t p = stack.back();
      stack.pop_back();
      if (p == stuck_) {
        flow.add(p, p);
        continue;
      }
      const Point& point = function.points[p];
      for (const FunctionId target : point.targets) {
        const Outcomes& outcomes = program_.functions[target].outcomes;
        if (const std::uint32_t callee = drafts_.entered(draft, p, target); callee != kNone) {
          marks[p] |= kHasBox;
          for (const Exit exit : {Exit::Return, Exit::Unwind, Exit::Longjmp}) {
            const std::uint32_t port = flow.add_point();
            returns_.push_back({p, target, exit, port});
            for_each_return(point, function, only(outcomes, exit), p,
                            [&](std::uint32_t to) { step(port, to); });
          }
          continue;
        }
        for_each_return(point, function, outcomes, p, [&](std::uint32_t to) {
          if (to != p) {
            step(p, to);
          }
        });
        if (outcomes.halts) {
          step(p, Function::kHalt);
        }
        if (outcomes == Outcomes{} ||
            (reduction_ == Reduction::KeepLoops && program_.functions[target].may_diverge)) {
          step(p, stuck_);
        }
      }
      if (point.kind != PointKind::Call || point.repeats) {
        for (const std::uint32_t to : point.next) {
          step(p, to);
        }
        if (point.unwind != kNone && point.kind == PointKind::Step) {
          step(p, point.unwind);
        }
      }
    }
  }

  /// Where the call at point `p` goes on when the callee has come to one of its ends.
  template <class Visit>
  static void for_each_return(const Point& point, const Function& function,
                              const Outcomes& outcomes, std::uint32_t p, Visit visit) {
    if (outcomes.returns) {
      if (point.repeats) {
        visit(p);
      } else {
        std::for_each(point.next.begin(), point.next.end(), visit);
      }
    }
    if (outcomes.unwinds) {
      visit(unwind_target(point));
    }
    if (outcomes.longjmps) {
      visit(function.longjmp_target);
    }
  }

  std::string fresh_name(std::string name) {
    const unsigned count = ++name_counts_[name];
    return count == 1 ? name : fmt::format("{}.{}", name, count);
  }

  void emit_nodes(const Draft& draft, const Function& function, const FlowGraph& flow,
                  const std::vector<std::uint8_t>& marks) {
    constexpr std::string_view kEnds[] = {"entry", "return", "unwind", "longjmp", "halt"};
    builder_.component(name_of(draft.key));
    result_.components.push_back(draft.key);
    result_.points.emplace_back();
    names_.assign(function.points.size() + 1, {});
    name_counts_.clear();
    auto labels = draft.labels.begin();
    for (std::uint32_t p = 0; p <= stuck_; ++p) {
      while (labels != draft.labels.end() && labels->first < p) {
        ++labels;
      }
      if ((marks[p] & kIn) == 0 || flow.is_dropped(p)) {
        continue;
      }
      const SourcePlace place = p == stuck_ ? function.place : function.points[p].place;
      names_[p] = p == stuck_ ? "stuck"
                  : p < Function::kFirst
                      ? std::string(kEnds[p])
                      : fresh_name(fmt::format("L{}_{}", place.line, place.column));
      const bool is_exit =
          p == Function::kReturn || p == Function::kUnwind || p == Function::kLongjmp;
      builder_.node({.name = names_[p],
                     .is_entry = p == Function::kEntry,
                     .is_exit = is_exit,
                     .file = place.line > 0 ? program_.text(place.file) : std::string_view(),
                     .line = place.line});
      result_.points.back().push_back(p);
      if (labels != draft.labels.end() && labels->first == p) {
        for (const std::string& label : labels->second) {
          builder_.label(label);
        }
      }
    }
  }

  void emit_transitions(const Draft& draft, const Function& function, const FlowGraph& flow,
                        const std::vector<std::uint8_t>& marks) {
    std::stable_sort(returns_.begin(), returns_.end(),
                     [](const BoxReturn& a, const BoxReturn& b) { return a.point < b.point; });
    for (std::uint32_t p = 0; p <= stuck_; ++p) {
      if ((marks[p] & kIn) == 0 || flow.is_dropped(p)) {
        continue;
      }
      for (const std::uint32_t to : flow.next(p)) {
        builder_.transition(Ref::node(names_[p]), Ref::node(names_[to]));
      }
      if ((marks[p] & kHasBox) != 0) {
        emit_boxes(draft, function, flow, p);
      }
    }
  }

  void emit_boxes(const Draft& draft, const Function& function, const FlowGraph& flow,
                  std::uint32_t p) {
    constexpr std::string_view kExits[] = {"return", "unwind", "longjmp"};
    const Point& point = function.points[p];
    auto port =
        std::lower_bound(returns_.begin(), returns_.end(), p,
                         [](const BoxReturn& one, std::uint32_t at) { return one.point < at; });
    while (port != returns_.end() && port->point == p) {
      const FunctionId target = port->target;
      const std::string callee = name_of(drafts_[drafts_.entered(draft, p, target)].key);
      const std::string box =
          fresh_name(fmt::format("{}_L{}_{}", program_.text(program_.functions[target].source_name),
                                 point.place.line, point.place.column));
      builder_.box(box, callee);
      builder_.transition(Ref::node(names_[p]), Ref::box_node(box, "entry"));
      for (; port != returns_.end() && port->point == p && port->target == target; ++port) {
        for (const std::uint32_t to : flow.next(port->port)) {
          builder_.transition(Ref::box_node(box, kExits[static_cast<std::size_t>(port->exit)]),
                              Ref::node(names_[to]));
        }
      }
    }
  }

  /// A component of its own that goes on with any of the roots.
  void emit_start() {
    builder_.component("<program>");
    result_.components.push_back({});
    result_.points.emplace_back(std::vector<std::uint32_t>{kNone, kNone});
    builder_.node({.name = "start", .is_entry = true});
    builder_.node({.name = "end", .is_exit = true});
    for (std::size_t i = 0; i < drafts_.roots().size(); ++i) {
      const Draft& root = drafts_[drafts_.roots()[i]];
      const std::string box = fmt::format("root_{}", i);
      builder_.box(box, name_of(root.key));
      builder_.transition(Ref::node("start"), Ref::box_node(box, "entry"));
      const Outcomes& outcomes = program_.functions[root.key.function].outcomes;
      for (const auto& [possible, exit] :
           {std::pair(outcomes.returns, "return"), std::pair(outcomes.unwinds, "unwind"),
            std::pair(outcomes.longjmps, "longjmp")}) {
        if (possible) {
          builder_.transition(Ref::box_node(box, exit), Ref::node("end"));
        }
      }
    }
    builder_.initial_component("<program>");
  }

  const Program& program_;
  Reduction reduction_;
  SliceDrafts drafts_;
  model::ModelBuilder builder_;
  SlicedModel result_;
  std::uint32_t stuck_ = 0;
  std::vector<BoxReturn> returns_;  // of the component being emitted
  std::vector<std::string> names_;  // of the points of the component being emitted
  std::unordered_map<std::string, unsigned> name_counts_;
};

}  // namespace

SlicedModel::Origin SlicedModel::origin(model::NodeId plain) const {
  const model::ComponentId component = model.component_of(plain);
  return {components[component.value()],
          points[component.value()][plain - model.component(component).first_node]};
}

SlicedModel slice(const Program& program, const std::vector<ComponentKey>& roots,
                  const SliceLabels& labels) {
  assert(!roots.empty());
  return Slicer(program, roots, labels).run();
}

}  // namespace nestor::program
