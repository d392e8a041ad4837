#include "lint/event_matcher.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::lint {

namespace {

bool passes(const program::Fact& fact, const EventPattern& pattern) {
  return (fact.kind == program::FactKind::Argument || fact.kind == program::FactKind::Address) &&
         pattern.argument && fact.index == *pattern.argument;
}

bool is_one_of(const program::Fact& fact, const EventPattern& pattern) {
  if (std::find(pattern.facts.begin(), pattern.facts.end(), fact.kind) == pattern.facts.end()) {
    return false;
  }
  return fact.kind != program::FactKind::Def ||
         ((!pattern.constant_definition || fact.is_constant) &&
          (!pattern.other_definition || !fact.is_constant));
}

}  // namespace

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
    std::sort(event.calls.begin(), event.calls.end());
    for (const std::string& call : pattern.failed) {
      if (const base::StringId id = program.strings.find(fmt::format("failed_{}", call));
          id.valid()) {
        event.failed.push_back(id);
      }
    }
    event.impossible = (!pattern.calls.empty() && event.calls.empty()) ||
                       (!pattern.failed.empty() && event.failed.empty());
    using Result = EventPattern::Result;
    if (pattern.result != Result::Any && pattern.result != Result::Unchecked) {
      const std::string_view label = pattern.result == Result::Ignored ? "ret_ignored"
                                     : pattern.result == Result::Used  ? "ret_used"
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
  if (event.pattern.calls.empty()) {
    return true;
  }
  if (!point.callee.valid() ||
      !std::binary_search(event.calls.begin(), event.calls.end(), point.callee)) {
    return false;
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
