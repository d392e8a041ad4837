#include "lint/event_matcher.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::lint {

namespace {

bool passes(const program::Fact& fact, const EventPattern& pattern) {
  return (fact.kind == program::FactKind::Argument || fact.kind == program::FactKind::Address) &&
         pattern.argument && fact.index == *pattern.argument;
}

bool is_defined_so(const program::Fact& fact, EventPattern::Definition definition) {
  switch (definition) {
    case EventPattern::Definition::Constant:
      return fact.is_constant;
    case EventPattern::Definition::Other:
      return !fact.is_constant;
    case EventPattern::Definition::Meant:
      return !fact.is_default;
    default:
      return true;
  }
}

bool is_one_of(const program::Fact& fact, const EventPattern& pattern) {
  return pattern.names(fact.kind) &&
         (fact.kind != program::FactKind::Def || is_defined_so(fact, pattern.definition));
}

/// The calls that the catalogue says make or end things of these kinds.
void add_families(const program::Program& program, const program::Externals& externals,
                  EventMatcher::Event& event) {
  const EventPattern& pattern = event.pattern;
  if (pattern.made.empty() && pattern.released.empty()) {
    return;
  }
  const auto names = [](const std::vector<std::string>& families, const std::string& family) {
    return !family.empty() && std::any_of(families.begin(), families.end(),
                                          [&](const auto& one) { return one == family; });
  };
  for (const auto& entry : externals.functions) {
    const program::ExternalFunction& function = entry.second;
    using Use = program::ArgumentUse;
    const auto find_use = [&](std::initializer_list<Use> uses) {
      return std::find_first_of(function.arguments.begin(), function.arguments.end(), uses.begin(),
                                uses.end());
    };
    const auto ended = find_use({Use::Releases, pattern.counts_moves ? Use::Moves : Use::Releases});
    const bool is_made =
        names(pattern.made, function.family) &&
        (function.fresh || find_use({Use::Makes, Use::Grows}) != function.arguments.end());
    const bool is_released =
        names(pattern.released, function.family) && ended != function.arguments.end();
    if (!is_made && !is_released) {
      continue;
    }
    for (const std::string& one : externals.with_aliases(entry.first)) {
      const base::StringId id = program.strings.find(one);
      if (!id.valid()) {
        continue;
      }
      event.calls.push_back(id);
      if (is_released) {
        event.families.insert(function.family);
        event.released[id] = static_cast<unsigned>(ended - function.arguments.begin());
      }
    }
  }
}

bool is_known_so(const program::ExternalFunction& function, EventPattern::Known known) {
  using Kind = program::ResultClass::Kind;
  using Use = program::ArgumentUse;
  const bool must_check =
      function.unchecked_matters || (function.fresh && function.failure.kind == Kind::Null);
  // A number, which nobody needs but to see whether the call failed.
  const bool can_fail =
      !must_check && !function.fresh &&
      (function.failure.kind == Kind::Range || function.failure.kind == Kind::NonZero);
  switch (known) {
    case EventPattern::Known::MustCheck:
      return must_check;
    case EventPattern::Known::CanFail:
      return can_fail;
    case EventPattern::Known::ShouldCheck:
      return can_fail && !function.failure_is_minor &&
             std::find(function.arguments.begin(), function.arguments.end(), Use::Releases) ==
                 function.arguments.end();
    default:
      return known == EventPattern::Known::Any;
  }
}

/// The functions that the catalogue says this of.
void add_known(const program::Program& program, const program::Externals& externals,
               EventMatcher::Event& event) {
  for (const auto& [name, function] : externals.functions) {
    if (!is_known_so(function, event.pattern.known)) {
      continue;
    }
    for (const std::string& one : externals.with_aliases(name)) {
      if (const base::StringId id = program.strings.find(one); id.valid()) {
        event.calls.push_back(id);
      }
    }
  }
}

void add_members(const program::Program& program, EventMatcher::Event& event) {
  if (event.pattern.cpp == CppUse::None) {
    return;
  }
  std::set<base::StringId> called;
  for (const program::Function& function : program.functions) {
    for (const program::Point& point : function.points) {
      if (point.callee.valid()) {
        called.insert(point.callee);
      }
    }
  }
  for (const base::StringId name : called) {
    if (cpp_use(program.strings[name]) == event.pattern.cpp) {
      event.calls.push_back(name);
    }
  }
}

/// Leaves the functions of whose calls the program checks at least two thirds: it believes that
/// they can fail (Engler et al.: Bugs as Deviant Behavior, SOSP 2001).
void keep_mostly_checked(const program::Program& program, std::vector<base::StringId>& calls) {
  struct Count {
    std::size_t checked = 0;
    std::size_t ignored = 0;
  };
  std::map<base::StringId, Count> counts;
  const base::StringId checked = program.strings.find("ret_checked");
  const base::StringId ignored = program.strings.find("ret_ignored");
  for (const program::Function& function : program.functions) {
    for (const program::Point& point : function.points) {
      for (const base::StringId label : point.labels) {
        counts[point.callee].checked += label == checked ? 1 : 0;
        counts[point.callee].ignored += label == ignored ? 1 : 0;
      }
    }
  }
  calls.erase(std::remove_if(calls.begin(), calls.end(),
                             [&](base::StringId call) {
                               return counts[call].checked < 2 * counts[call].ignored;
                             }),
              calls.end());
}

}  // namespace

std::optional<unsigned> EventMatcher::argument_of(const Event& event, const program::Point& point) {
  if (const auto found = event.released.find(point.callee); found != event.released.end()) {
    return found->second;
  }
  return event.pattern.argument;
}

EventMatcher::EventMatcher(const program::Program& program, const program::Externals& externals,
                           const Rule& rule) {
  for (const auto& [name, pattern] : rule.events) {
    Event event;
    event.name = name;
    event.pattern = pattern;
    for (const std::string& call : pattern.calls) {
      for (const std::string& one : externals.with_aliases(call)) {
        if (const base::StringId id = program.strings.find(one); id.valid()) {
          event.calls.push_back(id);
        }
      }
    }
    add_families(program, externals, event);
    event.is_other = std::find(pattern.released.begin(), pattern.released.end(), "other") !=
                     pattern.released.end();
    add_known(program, externals, event);
    add_members(program, event);
    if (pattern.mostly_checked) {
      keep_mostly_checked(program, event.calls);
    }
    std::sort(event.calls.begin(), event.calls.end());
    for (const std::string& call : pattern.failed) {
      if (const base::StringId id = program.strings.find(fmt::format("failed_{}", call));
          id.valid()) {
        event.failed.push_back(id);
      }
    }
    event.impossible = (event.names_calls() && event.calls.empty()) ||
                       (!pattern.failed.empty() && event.failed.empty());
    using Result = EventPattern::Result;
    if (pattern.result != Result::Any && pattern.result != Result::Unchecked) {
      const std::string_view label = pattern.result == Result::Ignored     ? "ret_ignored"
                                     : pattern.result == Result::Used      ? "ret_used"
                                     : pattern.result == Result::Misjudged ? "ret_misjudged"
                                                                           : "ret_checked";
      event.result = program.strings.find(label);
      event.impossible |= !event.result.valid();
    } else if (pattern.result == Result::Unchecked) {
      event.result = program.strings.find("ret_checked");
      event.unchecked = true;
    }
    for (const auto& [index, text] : pattern.constants) {
      const base::StringId label = program.strings.find(fmt::format("arg{}={}", index, text));
      event.constants.push_back(label);
      event.impossible |= !label.valid();
    }
    events_.push_back(std::move(event));
  }
  for (const Event& event : events_) {
    if (event.name == rule.site) {
      site_ = &event;
    }
  }
}

bool EventMatcher::has_label(const program::Point& point, base::StringId label) {
  return label.valid() &&
         std::find(point.labels.begin(), point.labels.end(), label) != point.labels.end();
}

bool EventMatcher::fits_call(const Event& event, const program::Point& point) const {
  if (event.impossible) {
    return false;
  }
  if (!event.failed.empty()) {
    return std::any_of(event.failed.begin(), event.failed.end(),
                       [&](base::StringId label) { return has_label(point, label); });
  }
  if (!event.names_calls()) {
    return true;
  }
  if (!point.callee.valid() ||
      !std::binary_search(event.calls.begin(), event.calls.end(), point.callee)) {
    return false;
  }
  if (event.pattern.known != EventPattern::Known::Nothing &&
      (point.kind == program::PointKind::Call || point.is_alternative)) {
    return false;  // a function of the program that has the same name, or perhaps another one
  }
  if (event.unchecked ? has_label(point, event.result)
                      : event.result.valid() && !has_label(point, event.result)) {
    return false;
  }
  return std::all_of(event.constants.begin(), event.constants.end(),
                     [&](base::StringId label) { return has_label(point, label); });
}

bool EventMatcher::fits(const Event& event, const program::Point& point,
                        program::VariableId handle) const {
  if (!fits_call(event, point)) {
    return false;
  }
  if (!event.pattern.speaks_of_handle()) {
    return true;
  }
  return std::any_of(point.facts.begin(), point.facts.end(), [&](const program::Fact& fact) {
    if (fact.variable != handle) {
      return false;
    }
    return passes(fact, event.pattern) ||
           (event.pattern.is_result && fact.kind == program::FactKind::Result) ||
           is_one_of(fact, event.pattern);
  });
}

void EventMatcher::handles_of(const Event& event, const program::Point& point,
                              std::vector<program::VariableId>& handles) const {
  if (!fits_call(event, point)) {
    return;
  }
  for (const program::Fact& fact : point.facts) {
    if (passes(fact, event.pattern) ||
        (event.pattern.is_result && fact.kind == program::FactKind::Result) ||
        is_one_of(fact, event.pattern)) {
      handles.push_back(fact.variable);
    }
  }
}

}  // namespace nestor::lint
