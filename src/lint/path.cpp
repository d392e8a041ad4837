#include "lint/path.h"

#include "lint/function_story.h"
#include "lint/names.h"
#include "program/relevance.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

namespace nestor::lint {

namespace {

using program::Action;
using program::FactKind;
using program::FunctionId;
using program::PointKind;

constexpr std::size_t kMostSteps = 10'000;
constexpr std::size_t kMostStates = 1'000'000;

class Story {
 public:
  Story(const program::Program& program, const program::SlicedModel& model,
        const witness::Witness& witness, const std::vector<TellingLabel>& labels,
        bool tells_branches)
      : program_(program), model_(model), witness_(witness), tells_branches_(tells_branches) {
    flatten();
    find_events(labels);
    if (tells_branches) {
      find_leading(labels);
    }
  }

  std::vector<PathStep> tell() {
    for (std::size_t i = 0; i < visits_.size() && steps_.size() < kMostSteps; ++i) {
      loop_starts_ = loop_starts_ || visits_[i].is_loop_start;
      if (visits_[i].begins_again) {
        begin_again(visits_[i].state);
      } else {
        const bool goes_on = i + 1 < visits_.size() && !visits_[i + 1].begins_again;
        visit(visits_[i], goes_on ? &visits_[i + 1].state : nullptr);
      }
    }
    return finished();
  }

 private:
  struct Visit {
    model::State state;
    bool is_search = false;  ///< before the site is reached, so that no event is to blame
    bool is_loop_start = false;
    bool begins_again = false;
  };
  struct Step {
    PathStep shown;
    bool is_telling = false;  ///< an event, or a branch between events
  };
  /// A call that is open.
  struct Frame {
    model::StackId stack;
    std::size_t call = 0;         ///< the step of the call; SIZE_MAX if none was shown
    program::SourcePlace leaves;  ///< the last return statement
    std::string result;           ///< what it returns, if that is a number
    std::uint32_t last = program::Function::kEntry;  ///< the point that was visited last
  };

  /// The states of all paths; the first leads to what the others are about.
  void flatten() {
    std::vector<witness::EvidenceId> work;
    if (!witness_.roots.empty()) {
      work.push_back(witness_.roots.front());
    }
    bool is_first = true;
    while (!work.empty() && visits_.size() < kMostStates) {
      const witness::Evidence& evidence = witness_.evidence[work.back()];
      work.pop_back();
      for (std::size_t i = 0; i < evidence.path.size(); ++i) {
        Visit visit;
        visit.state = witness_.states[evidence.path[i]];
        visit.is_search = is_first && i + 1 < evidence.path.size();
        visit.is_loop_start =
            evidence.ending == witness::Evidence::Ending::Loop && i == evidence.loop;
        if (!visits_.empty() && visits_.back().state == visit.state) {
          visits_.back().is_loop_start |= visit.is_loop_start;
          continue;
        }
        visit.begins_again = i == 0 && !visits_.empty();
        visits_.push_back(visit);
      }
      is_about_more_ = is_about_more_ || (!is_first && !evidence.path.empty());
      is_first = is_first && evidence.path.empty();
      work.insert(work.end(), evidence.parts.rbegin(), evidence.parts.rend());
    }
  }

  void find_events(const std::vector<TellingLabel>& labels) {
    for (const TellingLabel& label : labels) {
      if (const model::PropId prop = model_.model.find_prop(label.atom); prop.valid()) {
        for (const model::NodeId node : model_.model.nodes_with(prop)) {
          events_[node.value()].push_back(label.event);
        }
      }
    }
  }

  /// What is an event, or leads to one, in the functions of the path: branches are told by that.
  void find_leading(const std::vector<TellingLabel>& labels) {
    const model::Rsm& rsm = model_.model;
    for (const Visit& visit : visits_) {
      story_of(model_.origin(visit.state.node));
    }
    for (const bool only_site : {false, true}) {
      std::vector<std::uint8_t> telling(rsm.component_count(), 0);
      std::vector<model::ComponentId> work;
      const auto note = [&](model::NodeId node) {
        if (rsm.kind(node) == model::NodeKind::Plain) {
          const program::SlicedModel::Origin origin = model_.origin(node);
          const auto story = stories_.find(origin.component.function.value());
          if (story != stories_.end()) {
            (only_site ? story->second->sites : story->second->events).insert(origin.point);
          }
        }
        if (const model::ComponentId c = rsm.component_of(node); telling[c.value()] == 0) {
          telling[c.value()] = 1;
          work.push_back(c);
        }
      };
      for (const TellingLabel& label : labels) {
        const model::PropId prop = rsm.find_prop(label.atom);
        if (!prop.valid() || (only_site && !label.is_site)) {
          continue;
        }
        for (const model::NodeId node : rsm.nodes_with(prop)) {
          note(node);
        }
      }
      // Calls that lead to events are as good as events.
      while (!work.empty()) {
        const model::ComponentId c = work.back();
        work.pop_back();
        for (const model::BoxId box : rsm.callers(c)) {
          for (const model::NodeId from : rsm.predecessors(rsm.box(box).first_call)) {
            note(from);
          }
        }
      }
    }
  }

  /// Null for points that are no function's.
  FunctionStory* story_of(const program::SlicedModel::Origin& origin) {
    if (!origin.component.function.valid()) {
      return nullptr;
    }
    const program::Function& function = program_.functions[origin.component.function];
    if (origin.point >= function.points.size()) {
      return nullptr;  // the point for calls that never come back
    }
    std::unique_ptr<FunctionStory>& story = stories_[origin.component.function.value()];
    if (story == nullptr) {
      story = std::make_unique<FunctionStory>(program_, function);
    }
    return story.get();
  }

  Frame& frame_of(model::StackId stack) {
    while (!frames_.empty() && frames_.back().stack != stack &&
           witness_.stacks.depth(frames_.back().stack) >= witness_.stacks.depth(stack)) {
      frames_.pop_back();
    }
    if (frames_.empty() || frames_.back().stack != stack) {
      frames_.push_back({stack, SIZE_MAX, {}, {}, program::Function::kEntry});
    }
    return frames_.back();
  }

  PathStep& add(PathStep::Kind kind, std::string message, const program::SourcePlace& place,
                const model::State& state, bool is_telling) {
    Step step;
    step.shown.kind = kind;
    step.shown.message = std::move(message);
    step.shown.file = program_.text(place.file);
    step.shown.line = place.line;
    step.shown.column = place.column;
    step.shown.depth = witness_.stacks.depth(state.stack);
    step.shown.is_loop_start = loop_starts_;
    step.is_telling = is_telling;
    loop_starts_ = false;
    steps_.push_back(std::move(step));
    return steps_.back().shown;
  }

  /// A formula can fail for what two paths do; the second begins where the first did.
  void begin_again(const model::State& state) {
    const program::SlicedModel::Origin origin = model_.origin(state.node);
    if (story_of(origin) != nullptr) {
      const program::Function& function = program_.functions[origin.component.function];
      frames_.clear();
      frames_.push_back({state.stack, SIZE_MAX, {}, {}, origin.point});
      add(PathStep::Kind::Event, "another path goes on from here",
          function.points[origin.point].place, state, true);
    }
  }

  void visit(const Visit& visit, const model::State* next) {
    const model::State& state = visit.state;
    const program::SlicedModel::Origin origin = model_.origin(state.node);
    FunctionStory* story = story_of(origin);
    if (story == nullptr) {
      return;
    }
    const program::Function& function = program_.functions[origin.component.function];
    const program::Point& point = function.points[origin.point];
    Frame& frame = frame_of(state.stack);
    for (const std::uint32_t p : story->between(frame.last, origin.point)) {
      // A model with fewer points has been on one of several ways here.
      if (story->is_return(p) && (tells_branches_ || story->has_one_return())) {
        note_return(function, p, frame);
      }
    }
    frame.last = origin.point;
    const std::string event =
        visit.is_search ? std::string() : event_at(state.node, function, point, *story);
    const std::set<std::uint32_t>& events = visit.is_search ? story->sites : story->events;
    switch (point.kind) {
      case PointKind::Return:
      case PointKind::Unwind:
      case PointKind::Longjmp:
        leave(state, function, point, frame, event);
        return;
      case PointKind::Halt:
        if (!event.empty()) {
          add(PathStep::Kind::Event, event, point.place, state, true);
        }
        return;
      default:
        break;
    }
    const Action* action = function.action_of(origin.point);
    const bool enters =
        next != nullptr && witness_.stacks.depth(next->stack) > witness_.stacks.depth(state.stack);
    if (enters) {
      const program::SlicedModel::Origin callee = model_.origin(next->node);
      const std::string name =
          callee.component.function.valid()
              ? readable_name(program_, program_.functions[callee.component.function])
              : std::string();
      add(PathStep::Kind::Call,
          point.repeats ? fmt::format("calls back '{}'", name) : fmt::format("calls '{}'", name),
          point.place, state, !event.empty());
      frames_.push_back({next->stack, steps_.size() - 1, {}, {}, program::Function::kEntry});
    } else if (!event.empty()) {
      add(PathStep::Kind::Event, event, point.place, state, true);
    } else if (tells_branches_ && is_about_more_ && action != nullptr &&
               action->kind == Action::Kind::Assume &&
               // That the program would have given up before the site tells little.
               story->matters(origin.point, events,
                              visit.is_search ? FunctionStory::Ends::Exits
                                              : FunctionStory::Ends::ExitsAndHalt)) {
      PathStep& step = add(PathStep::Kind::Branch, story->text().of(point), point.place, state,
                           story->matters(origin.point, events, FunctionStory::Ends::None));
      step.is_true = !action->is_else && action->relation == program::Relation::NotEqual;
    }
  }

  static void note_return(const program::Function& function, std::uint32_t point, Frame& frame) {
    frame.leaves = function.points[point].place;
    frame.result.clear();
    const Action* action = function.action_of(point);
    if (action == nullptr || !action->value.valid()) {
      return;
    }
    const program::Value& value = function.values[action->value];
    frame.result = value.kind == program::Value::Kind::Constant && value.bits < 64
                       ? fmt::format(" {}", value.number)
                       : std::string();
  }

  void leave(const model::State& state, const program::Function& function,
             const program::Point& point, const Frame& frame, const std::string& event) {
    const bool returns = point.kind == PointKind::Return;
    const std::string name = readable_name(program_, function);
    std::string text = returns ? fmt::format("'{}' returns{}", name, frame.result)
                       : point.kind == PointKind::Unwind
                           ? fmt::format("an exception leaves '{}'", name)
                           : fmt::format("longjmp leaves '{}'", name);
    text += event.empty() ? "" : ", and " + event;
    const std::size_t call = frame.call;
    const bool is_telling =
        !event.empty() || call == SIZE_MAX ||
        std::any_of(steps_.begin() + static_cast<std::ptrdiff_t>(std::min(call, steps_.size())),
                    steps_.end(), [](const Step& step) { return step.is_telling; });
    if (!is_telling) {  // the call did nothing that matters
      for (; steps_.size() > call; steps_.pop_back()) {
        loop_starts_ = loop_starts_ || steps_.back().shown.is_loop_start;
      }
      return;
    }
    // Where models leave out the statement, nobody knows which one it was.
    const bool is_known = frame.leaves.line > 0;
    if (is_known || !event.empty() || !returns) {
      add(PathStep::Kind::Return, std::move(text), is_known && returns ? frame.leaves : point.place,
          state, !event.empty());
    }
  }

  /// The events of the rule that happen in this state; empty if there is none.
  std::string event_at(model::NodeId node, const program::Function& function,
                       const program::Point& point, const FunctionStory& story) const {
    const auto found = events_.find(node.value());
    if (found == events_.end()) {
      return {};
    }
    std::string text;
    for (const EventPattern* event : found->second) {
      const std::string one =
          event == nullptr ? end_text(point) : event_text(*event, function, point, story);
      if (!one.empty() && text.find(one) == std::string::npos) {
        text += text.empty() ? one : ", " + one;
      }
    }
    return text;
  }

  static std::string end_text(const program::Point& point) {
    return point.kind == PointKind::Halt ? "the program ends" : "";
  }

  std::string event_text(const EventPattern& event, const program::Function& function,
                         const program::Point& point, const FunctionStory& story) const {
    const Action* action = point.action == UINT32_MAX ? nullptr : &function.actions[point.action];
    const std::string callee = readable_name(program_.text(point.callee));
    if (!event.failed.empty()) {
      return fmt::format("'{}' has failed", fmt::join(event.failed, "' or '"));
    }
    for (const FactKind kind : event.facts) {
      if (kind == FactKind::Lost) {
        return "nothing holds it any more";
      }
      if (kind == FactKind::Null) {
        const bool is_test = action != nullptr && action->kind == Action::Kind::Assume;
        return is_test ? story.text().of(point) : std::string("it is null from here on");
      }
      const auto fact = std::find_if(point.facts.begin(), point.facts.end(),
                                     [&](const program::Fact& one) { return one.kind == kind; });
      if (fact == point.facts.end()) {
        continue;
      }
      const std::string_view name =
          short_name(program_.text(program_.variables[fact->variable].name));
      switch (kind) {
        case FactKind::Def:
        case FactKind::MayDef:
          return fmt::format("writes '{}'", name);
        case FactKind::Scope:
          return fmt::format("declares '{}'", name);
        case FactKind::Use:
          return fmt::format("reads '{}'", name);
        case FactKind::Deref:
          return fmt::format("uses what '{}' points to", name);
        case FactKind::Argument:
          return fmt::format("passes '{}' to '{}'", name, callee);
        default:
          break;
      }
    }
    if (point.callee.valid() && !event.facts.empty()) {
      return fmt::format("passes it to '{}'", callee);
    }
    if (point.callee.valid()) {
      return fmt::format("calls '{}'{}", callee, event.is_failure ? ", which fails" : "");
    }
    if (action != nullptr && action->address.valid()) {
      const std::string name = story.text().base_of(action->address);
      return name.empty() ? "uses what it points to"
                          : fmt::format("uses what '{}' points to", name);
    }
    return event.facts.empty() ? "" : "uses it";
  }

  std::vector<PathStep> finished() {
    std::vector<PathStep> path;
    std::uint32_t least = UINT32_MAX;
    for (Step& step : steps_) {
      least = std::min(least, step.shown.depth);
      // Conditions joined by || and && are several branches that may read the same.
      const bool repeats = !path.empty() && path.back().line == step.shown.line &&
                           path.back().column == step.shown.column &&
                           path.back().message == step.shown.message;
      if (!repeats) {
        path.push_back(std::move(step.shown));
      }
    }
    for (PathStep& step : path) {
      step.depth -= least;
    }
    return path;
  }

  const program::Program& program_;
  const program::SlicedModel& model_;
  const witness::Witness& witness_;
  bool tells_branches_;
  std::unordered_map<std::uint32_t, std::vector<const EventPattern*>> events_;  // by node
  std::unordered_map<std::uint32_t, std::unique_ptr<FunctionStory>> stories_;   // by function
  std::vector<Frame> frames_;
  std::vector<Step> steps_;
  std::vector<Visit> visits_;
  bool is_about_more_ = false;  // than how to come to the site
  bool loop_starts_ = false;
};

}  // namespace

std::vector<PathStep> path_of(const program::Program& program, const program::SlicedModel& model,
                              const witness::Witness& witness,
                              const std::vector<TellingLabel>& labels, bool tells_branches) {
  return Story(program, model, witness, labels, tells_branches).tell();
}

}  // namespace nestor::lint
