#include "lint/work_share.h"

#include "base/balance.h"

#include <fmt/format.h>

namespace nestor::lint {

namespace {

// Seconds for one look at a function, and for each of its points, by the scope of the rule. They
// were measured (docs/batch.md); only how they compare matters.
struct Effort {
  double look;
  double point;
};

Effort effort_of(const Rule& rule) {
  const auto site = rule.events.find(rule.site);
  switch (rule.scope) {
    case Rule::Scope::Object:
      // What is made is followed through all that callers do with it.
      return site != rule.events.end() && site->second.is_result ? Effort{5e-2, 8e-4}
                                                                 : Effort{1e-2, 2e-4};
    case Rule::Scope::Handle:
      return {1e-2, 2e-4};
    case Rule::Scope::Variable:
      return {1e-3, 2.5e-5};
    case Rule::Scope::Function:
      return {1e-5, 1e-7};
    default:  // of the whole program
      return {2e-3, 3e-5};
  }
}

constexpr double kLeastSeconds = 1e-5;  // shorter times are not told

/// The same in each run, and after changes elsewhere in the program.
std::string name_of(const program::Program& program, const FunctionShare::Group& group) {
  if (group.functions.empty()) {
    return {};
  }
  std::string name(program.text(program.functions[group.functions.front()].name));
  if (group.handle.valid()) {
    name += fmt::format(" {}", program.text(program.variables[group.handle].name));
  }
  return name;
}

}  // namespace

std::vector<bool> WorkShare::taken(const std::string& rule, const std::vector<Unit>& units) {
  std::vector<double> costs;
  for (const Unit& unit : units) {
    const auto known = known_.find({rule, unit.name});
    // What was measured and is not there took no time.
    costs.push_back(known_.empty()          ? unit.estimate
                    : known == known_.end() ? kLeastSeconds
                                            : known->second);
  }
  std::vector<bool> taken;
  for (const std::size_t owner : base::balanced(costs, loads_)) {
    taken.push_back(owner == number_);
  }
  return taken;
}

FunctionShare::FunctionShare(WorkShare* share, const Rule& rule, const program::Program& program,
                             const std::vector<Group>& groups, std::vector<Findings::Cost>& costs)
    : rule_(rule), costs_(costs) {
  if (share == nullptr) {
    return;
  }
  const Effort effort = effort_of(rule);
  std::map<std::string, std::size_t> names;  // how often each is there
  for (const Group& group : groups) {
    WorkShare::Unit& unit = units_.emplace_back();
    unit.name = name_of(program, group);
    if (const std::size_t other = ++names[unit.name]; other > 1) {
      unit.name += fmt::format(" {}", other);
    }
    for (const program::FunctionId f : group.functions) {
      unit.estimate +=
          effort.look + effort.point * static_cast<double>(program.functions[f].points.size());
    }
  }
  taken_ = share->taken(rule.id, units_);
  seconds_.resize(units_.size());
}

FunctionShare::~FunctionShare() {
  for (std::size_t i = 0; i < seconds_.size(); ++i) {
    if (taken_[i] && seconds_[i] >= kLeastSeconds) {
      costs_.push_back({rule_.id, std::move(units_[i].name), seconds_[i]});
    }
  }
}

}  // namespace nestor::lint
