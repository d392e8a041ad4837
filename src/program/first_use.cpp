#include "program/first_use.h"

#include <algorithm>
#include <iterator>

namespace nestor::program {

namespace {

/// What a pointer was made from by steps.
ValueId base_of(const Function& function, ValueId value) {
  while (value.valid() && (function.values[value].kind == Value::Kind::Step ||
                           function.values[value].kind == Value::Kind::Inside)) {
    value = function.values[value].left;
  }
  return value;
}

bool is_exact_local(const Variable& variable) {
  return variable.kind == VariableKind::Local && variable.exact;
}

bool has_fact(const Point& point, FactKind kind, VariableId variable) {
  return variable.valid() &&
         std::any_of(point.facts.begin(), point.facts.end(), [&](const Fact& fact) {
           return fact.kind == kind && fact.variable == variable;
         });
}

}  // namespace

FirstUse::Names FirstUse::names_of(const Function& function, ValueId value,
                                   VariableId place) const {
  Names names;
  names.place = place;
  if (value.valid()) {
    names.values.insert(value);
  }
  const bool is_exact = place.valid() && is_exact_local(program_.variables[place]);
  if (of_ == Of::Null && is_exact) {
    names.copies.insert(place);
  }
  for (const ValueId id : function.values.ids()) {
    if (of_ != Of::Null && place.valid() && function.values[id].kind == Value::Kind::Address &&
        function.values[id].variable == place) {
      names.values.insert(id);
    }
  }
  std::set<VariableId> others;  // locals that hold something else as well
  for (std::size_t before = SIZE_MAX; before != names.values.size() + names.copies.size();) {
    before = names.values.size() + names.copies.size();
    for (std::uint32_t p = 0; p < function.points.size(); ++p) {
      const Action* action = function.action_of(p);
      if (action == nullptr) {
        continue;
      }
      const VariableId location = location_of(function.points[p]);
      const bool is_name = names.values.count(base_of(function, action->value)) != 0;
      const bool is_there = of_ == Of::Null && !is_exact && location == place && place.valid();
      if (action->kind == Action::Kind::Choose && is_name) {
        names.values.insert(action->result);
      } else if (action->kind == Action::Kind::Read && action->result.valid() &&
                 (is_there || names.copies.count(location) != 0)) {
        names.values.insert(action->result);
      } else if (action->kind == Action::Kind::Write && location.valid() &&
                 is_exact_local(program_.variables[location])) {
        (is_name ? names.copies : others).insert(location);
      }
    }
  }
  std::set_difference(names.copies.begin(), names.copies.end(), others.begin(), others.end(),
                      std::inserter(names.certain, names.certain.end()));
  return names;
}

FirstUse::Effect FirstUse::effect_of_argument(const Point& call, std::uint32_t argument) {
  if (!call.targets.empty()) {
    // Where there are several targets, each mostly is a point of its own.
    const Found found = call.repeats || call.targets.size() > 1
                            ? Found{true, true}
                            : of_parameter(call.targets.front(), argument);
    if (found.is_used) {
      return Effect::Uses;
    }
    return found.ends ? Effect::None : Effect::Ends;
  }
  if (of_ == Of::Address) {
    return Effect::None;  // what keeps it outside is not followed
  }
  if (of_ == Of::Null) {
    const ExternalFunction* known = index_.external(call);
    return known != nullptr && known->nonnull.count(argument) != 0 ? Effect::Uses : Effect::None;
  }
  switch (index_.use_of(call, argument)) {
    case ArgumentUse::Reads:
      return Effect::Uses;
    case ArgumentUse::Value:
    case ArgumentUse::Uses:
      return Effect::None;
    default:
      return Effect::Ends;  // written, kept or released: not followed any further
  }
}

FirstUse::Effect FirstUse::effect_of_call(const Function& function, const Point& point,
                                          const Action& call, const Names& names) {
  for (std::uint32_t i = 0; i < call.arguments.size(); ++i) {
    if (names.values.count(base_of(function, call.arguments[i])) != 0) {
      if (const Effect effect = effect_of_argument(point, i); effect != Effect::None) {
        return effect;
      }
    }
  }
  const bool is_elsewhere =
      of_ == Of::Null && names.place.valid() && !is_exact_local(program_.variables[names.place]);
  return is_elsewhere && std::any_of(point.targets.begin(), point.targets.end(),
                                     [&](FunctionId target) {
                                       return index_.may_touch(target, names.place);
                                     })
             ? Effect::Uses
             : Effect::None;
}

FirstUse::Effect FirstUse::effect_of_write(const Function& function, const Point& point,
                                           const Action& write, const Names& names) const {
  const VariableId location = location_of(point);
  const ValueId base = base_of(function, write.address);
  if (names.values.count(base) != 0 && of_ != Of::Address) {
    if (of_ == Of::Null) {
      return Effect::Uses;
    }
    // What only may be the address may be another one.
    const bool is_certain = function.values[base].kind != Value::Kind::Bound ||
                            names.certain.size() == names.copies.size();
    return is_certain ? Effect::Ends : Effect::None;
  }
  const bool is_kept = location.valid() && is_exact_local(program_.variables[location]);
  if (names.values.count(base_of(function, write.value)) != 0) {
    const bool is_own = location.valid() && of_ == Of::Address &&
                        program_.variables[location].kind == VariableKind::Local;
    return is_kept || is_own ? Effect::None : Effect::Uses;
  }
  return of_ == Of::Null && is_kept && names.copies.size() == 1 && names.copies.count(location) != 0
             ? Effect::Ends
             : Effect::None;
}

FirstUse::Effect FirstUse::effect_of(const Function& function, const Point& point,
                                     const Names& names) {
  const bool is_over = of_ == Of::Undefined
                           ? has_fact(point, FactKind::Def, names.place)
                           : of_ == Of::Null && names.copies.size() == 1 &&
                                 has_fact(point, FactKind::NonNull, *names.copies.begin());
  if (is_over) {
    return Effect::Ends;
  }
  const Action* action = point.action == UINT32_MAX ? nullptr : &function.actions[point.action];
  if (action == nullptr) {
    return Effect::None;
  }
  switch (action->kind) {
    case Action::Kind::Read:
      return of_ != Of::Address && names.values.count(base_of(function, action->address)) != 0
                 ? Effect::Uses
                 : Effect::None;
    case Action::Kind::Write:
      return effect_of_write(function, point, *action, names);
    case Action::Kind::Call:
      return effect_of_call(function, point, *action, names);
    case Action::Kind::Return:
      if (names.values.count(base_of(function, action->value)) == 0) {
        return Effect::None;
      }
      return of_ == Of::Address ? Effect::Uses : Effect::Ends;
    default:
      return Effect::None;
  }
}

FirstUse::Found FirstUse::walk(const Function& function, std::uint32_t from, const Names& names) {
  Found found;
  std::vector<std::uint8_t> seen(function.points.size(), 0);
  std::vector<std::uint32_t> work;
  const auto go_on = [&](const Point& point) {
    work.insert(work.end(), point.next.begin(), point.next.end());
    if (point.unwind != UINT32_MAX) {
      work.push_back(point.unwind);
    }
    if (!point.targets.empty()) {
      work.push_back(function.longjmp_target);
    }
  };
  go_on(function.points[from]);
  while (!work.empty() && !found.is_used) {
    const std::uint32_t p = work.back();
    work.pop_back();
    if (seen[p] != 0) {
      continue;
    }
    seen[p] = 1;
    const Point& point = function.points[p];
    found.ends |= point.kind == PointKind::Return || point.kind == PointKind::Unwind ||
                  point.kind == PointKind::Longjmp;
    const Effect effect = effect_of(function, point, names);
    found.is_used |= effect == Effect::Uses;
    if (effect == Effect::None) {
      go_on(point);
    }
  }
  return found;
}

FirstUse::Found FirstUse::of_parameter(FunctionId function, std::uint32_t parameter) {
  // Until it is known, the worst: recursion is left to the model.
  const auto [place, fresh] = parameters_.try_emplace({function, parameter}, Found{true, true});
  if (!fresh) {
    return place->second;
  }
  const Function& in = program_.functions[function];
  Found found{false, true};
  for (const ValueId id : in.values.ids()) {
    if (in.values[id].kind == Value::Kind::Parameter && in.values[id].number == parameter) {
      found = walk(in, Function::kEntry, names_of(in, id, {}));
      break;
    }
  }
  return parameters_[{function, parameter}] = found;
}

bool FirstUse::may_follow(FunctionId function, std::uint32_t point) {
  const Function& in = program_.functions[function];
  const Action* action = in.action_of(point);
  const bool is_call = action != nullptr && action->kind == Action::Kind::Call;
  const Names names =
      is_call ? names_of(in, action->result, {}) : names_of(in, {}, location_of(in.points[point]));
  return walk(in, point, names).is_used;
}

}  // namespace nestor::program
