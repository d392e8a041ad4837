#include "lint/rule_labels.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::lint {

namespace {

void add_named_points(const program::Point& point, NamedPoints named, bool in_root,
                      std::vector<std::string>& labels) {
  if (named.entry && in_root && point.kind == program::PointKind::Entry) {
    labels.emplace_back("entry");
  }
  if (named.exit && in_root && point.kind == program::PointKind::Return) {
    labels.emplace_back("exit");
  }
  if (named.halt && point.kind == program::PointKind::Halt) {
    labels.emplace_back("halt");
  }
}

bool is_tracked(const program::Variable& variable) {
  return variable.kind == program::VariableKind::Local && variable.exact &&
         !variable.is_artificial && !variable.is_parameter;
}

}  // namespace

void ProgramLabels::of(const program::ComponentKey& component, std::uint32_t p,
                       std::vector<std::string>& labels) const {
  const program::Point& point = rule_.program.functions[component.function].points[p];
  if (point.callee.valid() || !point.labels.empty()) {
    for (const EventMatcher::Event& event : rule_.matcher.events()) {
      if (!rule_.matcher.fits_call(event, point)) {
        continue;
      }
      labels.push_back(event.name);
      if (&event == rule_.matcher.site()) {
        labels.emplace_back("site");
        labels.push_back(fmt::format("site_{}", sites_.size()));
        sites_.push_back({component, p, {}});
      }
    }
  } else if (p < program::Function::kFirst) {
    const bool in_root = std::find(roots_.begin(), roots_.end(), component) != roots_.end();
    add_named_points(point, rule_.named, in_root, labels);
  }
}

VariableLabels::VariableLabels(const RuleView& rule, program::FunctionId function) : rule_(rule) {
  std::vector<program::VariableId> found;
  for (const program::Point& point : rule.program.functions[function].points) {
    rule.matcher.handles_of(*rule.matcher.site(), point, found);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  for (const program::VariableId variable : found) {
    if (is_tracked(rule.program.variables[variable])) {
      index_[variable.value()] = static_cast<std::uint32_t>(variables_.size());
      variables_.push_back(variable);
    }
  }
}

void VariableLabels::of(const program::ComponentKey& component, std::uint32_t p,
                        std::vector<std::string>& labels) const {
  const program::Point& point = rule_.program.functions[component.function].points[p];
  if (p < program::Function::kFirst) {
    add_named_points(point, rule_.named, true, labels);
  }
  for (const program::Fact& fact : point.facts) {
    const auto found = index_.find(fact.variable.value());
    if (found == index_.end()) {
      continue;
    }
    for (const EventMatcher::Event& event : rule_.matcher.events()) {
      if (!rule_.matcher.fits(event, point, fact.variable)) {
        continue;
      }
      std::string label = fmt::format("{}_{}", event.name, found->second);
      if (std::find(labels.begin(), labels.end(), label) != labels.end()) {
        continue;
      }
      labels.push_back(std::move(label));
      if (&event == rule_.matcher.site()) {
        labels.push_back(fmt::format("site_{}", found->second));
        labels.push_back(fmt::format("site_{}_{}", found->second, sites_.size()));
        sites_.push_back({component, p, fact.variable});
      }
    }
  }
}

/// Writing the handle where the site has just made it, or where a parameter takes it, is not
/// writing something else over it.
bool HandleLabels::is_binding(const EventMatcher::Event& event, const program::Function& function,
                              const program::Point& point, program::VariableId handle) const {
  const std::vector<program::FactKind>& kinds = event.pattern.facts;
  if (std::find(kinds.begin(), kinds.end(), program::FactKind::Def) == kinds.end()) {
    return false;
  }
  return std::any_of(point.facts.begin(), point.facts.end(), [&](const program::Fact& fact) {
    if (fact.kind != program::FactKind::Def || fact.variable != handle) {
      return false;
    }
    return fact.is_incoming ||
           (fact.from != program::Fact::kNoPoint &&
            rule_.matcher.fits_call(*rule_.matcher.site(), function.points[fact.from]) &&
            rule_.matcher.site()->pattern.is_result);
  });
}

/// A function of the program takes the handle as a parameter that cannot be followed.
bool HandleLabels::passes_out_of_sight(const program::Point& call,
                                       program::VariableId handle) const {
  for (const program::Fact& fact : call.facts) {
    if (fact.kind != program::FactKind::Argument || fact.variable != handle) {
      continue;
    }
    for (const program::FunctionId target : call.targets) {
      const std::vector<program::VariableId>& parameters =
          rule_.program.functions[target].parameters;
      if (fact.index >= parameters.size() || !parameters[fact.index].valid()) {
        return true;
      }
    }
  }
  return false;
}

void HandleLabels::of(const program::ComponentKey& component, std::uint32_t p,
                      std::vector<std::string>& labels) const {
  const program::Function& function = rule_.program.functions[component.function];
  const program::Point& point = function.points[p];
  if (p < program::Function::kFirst) {
    // What main leaves behind, the system clears away.
    const bool is_main = rule_.program.text(function.name) == "main";
    add_named_points(point, rule_.named, component == root_ && !is_main, labels);
    return;
  }
  if (point.facts.empty()) {
    return;
  }
  for (const EventMatcher::Event& event : rule_.matcher.events()) {
    if (rule_.only_sure && point.is_alternative && !event.pattern.calls.empty()) {
      continue;  // another target may do something else
    }
    const std::vector<program::FactKind>& kinds = event.pattern.facts;
    const bool escapes =
        std::find(kinds.begin(), kinds.end(), program::FactKind::Escape) != kinds.end() &&
        passes_out_of_sight(point, component.handle);
    if (!escapes && (!rule_.matcher.fits(event, point, component.handle) ||
                     is_binding(event, function, point, component.handle))) {
      continue;
    }
    labels.push_back(event.name);
    if (&event == rule_.matcher.site()) {
      labels.emplace_back("site");
      labels.push_back(fmt::format("site_{}", sites_.size()));
      sites_.push_back({component, p, component.handle});
    }
  }
}

bool HandleLabels::enters(const program::ComponentKey& component, const program::Point& call,
                          program::FunctionId target, program::ComponentKey& callee) const {
  if (call.is_later) {
    return false;  // a thread of its own, or called when this function has long come to its end
  }
  if (reaching_ != nullptr) {
    callee = {target, component.handle};
    return (*reaching_)[target.value()] != 0;
  }
  if (rule_.only_sure && call.is_alternative) {
    return false;
  }
  const std::vector<program::VariableId>& parameters = rule_.program.functions[target].parameters;
  // A call that is itself an event is taken for what the rule says of it, not looked into.
  for (const EventMatcher::Event& event : rule_.matcher.events()) {
    if (!event.pattern.calls.empty() && rule_.matcher.fits(event, call, component.handle)) {
      return false;
    }
  }
  for (const program::Fact& fact : call.facts) {
    if (fact.kind == program::FactKind::Argument && fact.variable == component.handle &&
        fact.index < parameters.size() && parameters[fact.index].valid()) {
      callee = {target, parameters[fact.index]};
      return skipped_.count(callee) == 0;
    }
  }
  return false;
}

}  // namespace nestor::lint
