#include "lint/object_rule.h"

#include "lint/ownership.h"
#include "program/first_use.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::lint {

namespace {

using program::Action;
using program::Value;

constexpr int kMostLevels = 3;            // of functions that hand on what they are given
constexpr int kMostLevelsOfReleased = 1;  // what is released and handed out is rarely seen further

}  // namespace

ObjectOrigins::ObjectOrigins(program::ProgramIndex& index, const EventMatcher& matcher,
                             const RuleFormula& formula, LookCloser look_closer)
    : index_(index), program_(index.program()), matcher_(matcher) {
  if (matcher.site()->is_release()) {
    ask_what_follows(formula.universal_part().forbidden_after_site(), std::move(look_closer));
  }
}

/// If the events that are forbidden then are such as a walk can see.
void ObjectOrigins::ask_what_follows(const std::vector<std::string>& forbidden,
                                     LookCloser look_closer) {
  program::AfterRelease::Question question;
  question.look_closer = std::move(look_closer);
  std::vector<const EventMatcher::Event*> calls;
  for (const EventMatcher::Event& event : matcher_.events()) {
    if (std::find(forbidden.begin(), forbidden.end(), event.name) == forbidden.end()) {
      continue;
    }
    if (event.is_release()) {
      calls.push_back(&event);
    } else if (event.names_calls() || !event.pattern.failed.empty() ||
               !std::all_of(event.pattern.facts.begin(), event.pattern.facts.end(),
                            [](program::FactKind fact) {
                              return fact == program::FactKind::Deref ||
                                     fact == program::FactKind::Argument;
                            })) {
      return;
    }
    question.is_deref |= event.pattern.names(program::FactKind::Deref);
    question.is_passed |= event.pattern.names(program::FactKind::Argument);
  }
  const auto argument_of = [this](const EventMatcher::Event& event, const program::Point& call) {
    return call.callee.valid() && matcher_.fits_call(event, call)
               ? EventMatcher::argument_of(event, call)
               : std::nullopt;
  };
  question.released = [this, argument_of](const program::Point& call) {
    return argument_of(*matcher_.site(), call);
  };
  question.forbidden = [argument_of, calls](const program::Point& call) {
    std::optional<unsigned> argument;
    for (const EventMatcher::Event* event : calls) {
      argument = argument ? argument : argument_of(*event, call);
    }
    return argument;
  };
  if (!calls.empty() || question.is_deref || question.is_passed) {
    releases_.emplace(index_, std::move(question));
  }
}

void ObjectOrigins::add(const program::HandleOrigin& origin, int level) {
  if (known_.emplace(origin, level).second && (!releases_ || releases_->may_follow(origin))) {
    work_.push_back(origin);
  }
}

void ObjectOrigins::find() {
  const EventPattern& pattern = matcher_.site()->pattern;
  if (pattern.names(program::FactKind::Null)) {
    find_nulls();
  } else if (pattern.names(program::FactKind::Scope)) {
    find_locals();
  } else if (pattern.names(program::FactKind::Owned)) {
    find_members();
  } else if (pattern.names(program::FactKind::Replaced)) {
    find_replaced();
  } else {
    find_calls();
  }
  std::reverse(work_.begin(), work_.end());
}

/// Where a pointer becomes null, or is found to be, that something follows or passes on.
void ObjectOrigins::find_nulls() {
  program::FirstUse use(index_, program::FirstUse::Of::Null);
  for (const program::FunctionId f : program_.functions.ids()) {
    const program::Function& function = program_.functions[f];
    for (std::uint32_t p = 0; p < function.points.size(); ++p) {
      const program::Point& point = function.points[p];
      const Action* action = function.action_of(p);
      if (action == nullptr || !program::location_of(point).valid()) {
        continue;
      }
      const bool is_null =
          (action->kind == Action::Kind::Write && function.values[action->value].is_null &&
           function.values[action->value].kind == Value::Kind::Constant) ||
          (action->kind == Action::Kind::Assume &&
           point.facts.front().kind == program::FactKind::Null);
      if (is_null && use.may_follow(f, p)) {
        add({f, p, 0});
      }
    }
  }
}

/// Locals whose life begins, without a value, and memory that is made so.
void ObjectOrigins::find_locals() {
  const bool is_blank = matcher_.site()->pattern.names(program::FactKind::Blank);
  program::FirstUse uses(
      index_, is_blank ? program::FirstUse::Of::Undefined : program::FirstUse::Of::Address);
  const auto add_if_used = [&](program::FunctionId function, std::uint32_t point) {
    if (uses.may_follow(function, point)) {
      add({function, point, 0});
    }
  };
  for (const program::FunctionId f : program_.functions.ids()) {
    const program::Function& function = program_.functions[f];
    for (std::uint32_t p = 0; p < function.points.size(); ++p) {
      const program::Point& point = function.points[p];
      for (const program::Fact& fact : point.facts) {
        // Nobody takes the address of what is only accessed by its name.
        if (fact.kind == program::FactKind::Scope &&
            (is_blank || !program_.variables[fact.variable].exact)) {
          add_if_used(f, p);
        }
      }
      const program::ExternalFunction* known =
          point.callee.valid() && point.targets.empty() ? index_.external(point) : nullptr;
      if (is_blank && known != nullptr && known->is_blank) {
        add_if_used(f, p);
      }
    }
  }
}

/// What is in a structure that is released, where it is not known to be something else.
void ObjectOrigins::find_members() {
  const Ownership ownership(index_);
  for (const program::FunctionId f : program_.functions.ids()) {
    for (const Ownership::Release& release : ownership.releases_in(f)) {
      program::HandleOrigin origin{f, release.from, release.parameter};
      for (const auto& [member, offset] : release.members) {
        origin.member = member;
        origin.offset = offset;
        released_at_.emplace(origin, release.point);
        add(origin);
      }
    }
  }
}

/// What lies in a member or a global where the function looks at it, before it writes there.
void ObjectOrigins::find_replaced() {
  const Ownership ownership(index_);
  for (const program::FunctionId f : program_.functions.ids()) {
    for (const Ownership::Replacement& one : ownership.replacements_in(f)) {
      const program::HandleOrigin origin{f, one.read, 0};
      released_at_.emplace(origin, one.write);
      add(origin);
    }
  }
}

std::string ObjectOrigins::family_of(const program::HandleOrigin& origin) const {
  std::set<program::FunctionId> seen;
  std::vector<std::pair<program::FunctionId, std::uint32_t>> work = {
      {origin.function, origin.point}};
  while (!work.empty()) {
    const auto [f, p] = work.back();
    work.pop_back();
    const program::Point& point = program_.functions[f].points[p];
    if (const program::ExternalFunction* known = index_.external(point)) {
      return known->family;
    }
    for (const program::FunctionId target : point.targets) {
      const auto made = makers_.find(target);
      if (made != makers_.end() && seen.insert(target).second) {
        for (const std::uint32_t q : made->second) {
          work.emplace_back(target, q);
        }
      }
    }
  }
  return {};
}

/// The call closes a standard stream: its number, or what counts up from there.
bool ObjectOrigins::closes_standard(program::FunctionId f, std::uint32_t close) const {
  const program::Function& function = program_.functions[f];
  const program::FunctionUses& uses = index_.uses_of(f);
  const Action* action = function.action_of(close);
  const auto is_standard = [&](program::ValueId value) {
    const Value& term = function.values[value];
    return term.kind == Value::Kind::Constant && term.number >= 0 && term.number <= 2;
  };
  if (program_.text(function.points[close].callee) != "close" || action == nullptr ||
      action->arguments.empty()) {
    return false;
  }
  const program::ValueId closed = action->arguments.front();
  const std::span<const std::uint32_t> binders = uses.binders_of(closed);
  return is_standard(closed) ||
         std::any_of(binders.begin(), binders.end(), [&](std::uint32_t binder) {
           const program::FunctionUses::Place place = uses.place_at(binder);
           if (place == program::FunctionUses::kNoPlace) {
             return false;
           }
           const std::span<const std::uint32_t> writers = uses.writers_of(place);
           const auto written = [&](std::uint32_t writer) {
             return function.action_of(writer)->value;
           };
           const auto counts = [&](program::ValueId value) {
             return function.values[value].kind == Value::Kind::Add;
           };
           return std::ranges::any_of(writers, is_standard, written) &&
                  std::ranges::any_of(writers, counts, written) &&
                  std::ranges::all_of(writers, [&](std::uint32_t writer) {
                    return is_standard(written(writer)) || counts(written(writer));
                  });
         });
}

/// What is opened after a standard stream was closed takes its number, on purpose.
bool ObjectOrigins::is_for_standard(program::FunctionId f, std::uint32_t opened) const {
  const program::Function& function = program_.functions[f];
  std::vector<std::uint32_t> work;
  for (std::uint32_t p = 0; p < function.points.size(); ++p) {
    if (closes_standard(f, p)) {
      work.push_back(p);
    }
  }
  std::vector<std::uint8_t> seen(function.points.size(), 0);
  while (!work.empty()) {
    const std::uint32_t p = work.back();
    work.pop_back();
    for (const std::uint32_t next : function.points[p].next) {
      if (seen[next] == 0) {
        seen[next] = 1;
        work.push_back(next);
      }
    }
  }
  return seen[opened] != 0;
}

void ObjectOrigins::find_calls() {
  const EventMatcher::Event& site = *matcher_.site();
  for (const program::FunctionId f : program_.functions.ids()) {
    const program::Function& function = program_.functions[f];
    for (std::uint32_t p = 0; p < function.points.size(); ++p) {
      const program::Point& point = function.points[p];
      if (!point.callee.valid() || !matcher_.fits_call(site, point)) {
        continue;
      }
      if (site.pattern.is_result) {
        const program::ExternalFunction* known = index_.external(point);
        if (known != nullptr && known->family == "descriptor" && is_for_standard(f, p)) {
          continue;
        }
        if (known != nullptr && known->success.kind == program::ResultClass::Kind::Argument &&
            std::none_of(point.facts.begin(), point.facts.end(), [](const program::Fact& fact) {
              return fact.kind == program::FactKind::Result;
            })) {
          continue;  // what it makes has a name already
        }
        makers_[f].insert(p);
        add({f, p, 0});
      } else if (const auto argument = EventMatcher::argument_of(site, point)) {
        trace_argument(f, p, *argument);
      }
    }
  }
}

bool ObjectOrigins::next(program::HandleOrigin& origin) {
  if (work_.empty()) {
    return false;
  }
  origin = work_.back();
  work_.pop_back();
  return true;
}

int ObjectOrigins::most_levels() const {
  return matcher_.site()->pattern.is_result ? kMostLevels : kMostLevelsOfReleased;
}

void ObjectOrigins::outlives(const program::HandleOrigin& origin) {
  const int level = known_.at(origin) + 1;
  if (level > most_levels()) {
    return;
  }
  // A buffer that getline makes larger is its owner's, who knows whether there is one.
  if (index_.use_of(program_.functions[origin.function].points[origin.point], 0) ==
      program::ArgumentUse::Grows) {
    return;
  }
  makers_[origin.function].insert(origin.point);
  for (const program::ProgramIndex::Caller& caller : index_.callers_of(origin.function)) {
    const program::Point& call = program_.functions[caller.function].points[caller.point];
    if (call.repeats || call.is_alternative) {
      continue;  // called back from outside, or another function is
    }
    if (makers_[caller.function].insert(caller.point).second) {
      add({.function = caller.function, .point = caller.point, .is_handed_out = true}, level);
    }
  }
}

void ObjectOrigins::trace_argument(program::FunctionId function, std::uint32_t point,
                                   std::size_t argument) {
  const Action* action = program_.functions[function].action_of(point);
  if (action != nullptr && argument < action->arguments.size()) {
    std::set<program::ValueId> seen;
    trace(function, action->arguments[argument], seen);
  }
}

/// Back over copies between locals, to where the value comes into the function.
void ObjectOrigins::trace(program::FunctionId function, program::ValueId value,
                          std::set<program::ValueId>& seen) {
  const program::Function& in = program_.functions[function];
  const Value& term = in.values[value];
  if (!seen.insert(value).second) {
    return;
  }
  if (term.kind == Value::Kind::Parameter) {
    const auto number = static_cast<std::uint32_t>(term.number);
    add({function, program::Function::kEntry, number});
    if (taking_.emplace(function, number).second) {
      for (const program::ProgramIndex::Caller& caller : index_.callers_of(function)) {
        trace_argument(caller.function, caller.point, number);
      }
    }
    return;
  }
  if (term.kind == Value::Kind::Step || term.kind == Value::Kind::Inside) {
    trace(function, term.left, seen);
    return;
  }
  if (term.kind != Value::Kind::Bound) {
    return;
  }
  const program::FunctionUses& uses = index_.uses_of(function);
  for (const std::uint32_t p : uses.binders_of(value)) {
    const Action* binder = in.action_of(p);
    if (binder->kind == Action::Kind::Choose) {
      trace(function, binder->value, seen);
    } else if (binder->kind == Action::Kind::Call) {
      add({function, p, 0});
    } else if (binder->kind == Action::Kind::Read) {
      const program::VariableId location = program::location_of(in.points[p]);
      const program::Variable& variable = program_.variables[location];
      if (variable.kind != program::VariableKind::Local || !variable.exact) {
        add({function, p, 0});  // whatever lies there; and what the function may have put there:
      }
      for (const std::uint32_t writer : uses.writers_of(uses.place_at(p))) {
        trace(function, in.action_of(writer)->value, seen);
      }
    }
  }
}

bool ObjectEvents::happens(const EventMatcher::Event& event, const program::Point& point,
                           const program::Happenings& happenings) const {
  const EventPattern& pattern = event.pattern;
  if (event.names_calls() || !pattern.failed.empty()) {
    if (!point.callee.valid() || !rule_.matcher.fits_call(event, point)) {
      return false;
    }
  }
  if (!pattern.speaks_of_handle()) {
    return true;
  }
  if (pattern.is_result && happenings.is_origin) {
    return true;
  }
  if (event.is_other) {
    const program::ExternalFunction* known = program_index_.external(point);
    if (known == nullptr || family_.empty() || known->family == family_) {
      return false;
    }
  }
  if (const auto argument = EventMatcher::argument_of(event, point);
      argument && *argument < 32 && (happenings.arguments >> *argument & 1U) != 0) {
    return true;
  }
  return std::any_of(pattern.facts.begin(), pattern.facts.end(), [&](program::FactKind fact) {
    switch (fact) {
      case program::FactKind::Deref:
        return happenings.is_followed;
      case program::FactKind::Argument:
        return happenings.is_passed;
      case program::FactKind::Escape:
        return happenings.escapes;
      case program::FactKind::Returned:
        return happenings.is_returned;
      case program::FactKind::Lost:
        return happenings.is_lost;
      case program::FactKind::Null:
      case program::FactKind::Scope:
      case program::FactKind::Blank:
      case program::FactKind::Owned:
      case program::FactKind::Replaced:
        return happenings.is_origin;
      case program::FactKind::Use:
        return happenings.is_read;
      default:
        return false;
    }
  });
}

bool ObjectEvents::has(program::FunctionId function, bool is_outermost, std::uint32_t p,
                       const program::Happenings& happenings) const {
  const program::Point& point = rule_.program.functions[function].points[p];
  const bool is_end = point.kind == program::PointKind::Return && is_outermost;
  if (rule_.named.exit && is_end) {
    return true;
  }
  if (is_end && rule_.program.text(rule_.program.functions[function].name) == "main") {
    return false;
  }
  if (rule_.named.halt && point.kind == program::PointKind::Halt) {
    return true;
  }
  if (all_speak_of_handle_ && happenings == program::Happenings()) {
    return false;
  }
  const std::vector<EventMatcher::Event>& events = rule_.matcher.events();
  return std::any_of(events.begin(), events.end(), [&](const EventMatcher::Event& event) {
    return happens(event, point, happenings);
  });
}

void ObjectEvents::of(program::FunctionId function, bool is_outermost, std::uint32_t p,
                      const program::Happenings& happenings,
                      std::vector<std::string>& labels) const {
  const program::Point& point = rule_.program.functions[function].points[p];
  const bool is_end = point.kind == program::PointKind::Return && is_outermost;
  if (rule_.named.exit && is_end) {
    labels.emplace_back("exit");
  }
  // What main leaves behind, the system clears away.
  if (is_end && rule_.program.text(rule_.program.functions[function].name) == "main") {
    return;
  }
  if (rule_.named.halt && point.kind == program::PointKind::Halt) {
    labels.emplace_back("halt");
  }
  if (all_speak_of_handle_ && happenings == program::Happenings()) {
    return;
  }
  for (const EventMatcher::Event& event : rule_.matcher.events()) {
    if (!happens(event, point, happenings)) {
      continue;
    }
    labels.push_back(event.name);
    if (&event == rule_.matcher.site()) {
      const auto [found, fresh] = index_.try_emplace({function, p}, sites_.size());
      if (fresh) {
        sites_.push_back({{function, {}, is_outermost}, p, {}});
      }
      labels.emplace_back("site");
      labels.push_back(fmt::format("site_{}", found->second));
    }
  }
}

/// What makes a copy, or something else with the help of the thing, leaves it as it is.
bool ObjectEvents::is_end(const program::Point& call, std::uint32_t arguments) const {
  return std::any_of(rule_.matcher.events().begin(), rule_.matcher.events().end(),
                     [&](const EventMatcher::Event& event) {
                       const auto argument = EventMatcher::argument_of(event, call);
                       return argument && *argument < 32 && (arguments >> *argument & 1U) != 0 &&
                              event.names_calls() && rule_.matcher.fits_call(event, call);
                     });
}

bool ObjectEvents::is_event(const program::Point& call) const {
  return std::any_of(rule_.matcher.events().begin(), rule_.matcher.events().end(),
                     [&](const EventMatcher::Event& event) {
                       return event.names_calls() && rule_.matcher.fits_call(event, call);
                     });
}

}  // namespace nestor::lint
