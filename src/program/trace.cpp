#include "program/trace.h"

#include <algorithm>

namespace nestor::program {

namespace {

constexpr int kDeepestStraight = 4;           // calls inside each other
constexpr std::size_t kLongestStraight = 64;  // points

}  // namespace

VariableId TraceEffects::variable_at(FunctionId function, ValueId address) const {
  const Function& in = program_.functions[function];
  while (address.valid() && (in.values[address].kind == Value::Kind::Step ||
                             in.values[address].kind == Value::Kind::Inside)) {
    address = in.values[address].left;
  }
  return address.valid() && in.values[address].kind == Value::Kind::Address
             ? in.values[address].variable
             : VariableId();
}

bool TraceEffects::call_changes(const Point& call, VariableId variable) const {
  if (variable.valid() && is_exact(variable)) {
    return !program_.variables[variable].is_constant &&
           program_.variables[variable].kind == VariableKind::Global &&
           std::any_of(call.targets.begin(), call.targets.end(),
                       [&](FunctionId target) { return index_.may_touch(target, variable); });
  }
  if (!call.targets.empty() || index_.external(call) == nullptr) {
    return true;
  }
  // As many arguments as anything is said of; all others are alike.
  for (std::size_t i = 0; i <= index_.external(call)->arguments.size(); ++i) {
    switch (index_.use_of(call, i)) {
      case ArgumentUse::Value:
      case ArgumentUse::Reads:
      case ArgumentUse::Uses:
      case ArgumentUse::Releases:
        break;
      default:
        return true;
    }
  }
  return false;
}

bool TraceEffects::may_define(const Point& point, VariableId variable) const {
  return std::any_of(point.facts.begin(), point.facts.end(), [&](const Fact& fact) {
    const bool is_written =
        fact.kind == FactKind::Scope || fact.kind == FactKind::Def || fact.kind == FactKind::MayDef;
    return is_written && (fact.variable == variable ||
                          (!is_exact(fact.variable) && !(variable.valid() && is_exact(variable))));
  });
}

bool TraceEffects::disturbs(const TraceStep& step, const Footprint& footprint) const {
  switch (step.kind) {
    case TraceStep::Kind::Visit:
      return disturbs(step.function, step.point, false, footprint);
    case TraceStep::Kind::Enter:
      return footprint.frames.count(step.callee) != 0;
    case TraceStep::Kind::ComeBack: {
      const Action* action =
          step.function.valid() ? program_.functions[step.function].action_of(step.point) : nullptr;
      return footprint.frames.count(step.callee) != 0 ||
             (action != nullptr && action->result.valid() &&
              footprint.bound.count({step.function, action->result}) != 0);
    }
    case TraceStep::Kind::PassOver:
      return disturbs(step.function, step.point, true, footprint);
    case TraceStep::Kind::Unseen:
      return step.ways->is_unknown ||
             std::any_of(step.ways->items.begin(), step.ways->items.end(),
                         [&](const UnseenWays::Item& item) {
                           return disturbs(step.function, item.point, true, footprint);
                         });
  }
  return true;
}

bool TraceEffects::disturbs(FunctionId function, std::uint32_t p, bool passes_over,
                            const Footprint& footprint) const {
  const Point& point = program_.functions[function].points[p];
  switch (point.kind) {
    case PointKind::Entry:
    case PointKind::Return:
    case PointKind::Unwind:
    case PointKind::Longjmp:
      return footprint.frames.count(function) != 0;
    default:
      break;
  }
  const Action* action = program_.functions[function].action_of(p);
  const bool is_call = point.callee.valid() || !point.targets.empty();
  if (!point.targets.empty() && !passes_over) {
    return false;  // what it does comes later
  }
  if (action != nullptr && action->result.valid() &&
      footprint.bound.count({function, action->result}) != 0) {
    return true;
  }
  VariableId written;
  const bool writes = action != nullptr && action->kind == Action::Kind::Write;
  if (writes) {
    written = variable_at(function, action->address);
  }
  const auto changes = [&](VariableId variable) {
    const bool is_named = variable.valid() && is_exact(variable);
    return (is_call ? call_changes(point, variable) : may_define(point, variable)) ||
           (writes && (written.valid() ? written == variable : !is_named)) ||
           (writes && written.valid() && !is_exact(written) && !is_named);
  };
  return (footprint.memory && changes(VariableId())) ||
         std::any_of(footprint.variables.begin(), footprint.variables.end(), changes);
}

void TraceEffects::add(const TraceStep& step, Footprint& footprint) const {
  switch (step.kind) {
    case TraceStep::Kind::Visit:
      add(step.function, step.point, false, footprint);
      break;
    case TraceStep::Kind::PassOver:
      add(step.function, step.point, true, footprint);
      break;
    case TraceStep::Kind::Enter:
    case TraceStep::Kind::ComeBack:
      footprint.frames.insert(step.callee);
      if (step.function.valid()) {
        add(step.function, step.point, true, footprint);
      }
      break;
    case TraceStep::Kind::Unseen:
      for (const UnseenWays::Item& item : step.ways->items) {
        if (item.is_sure) {
          add(step.function, item.point, true, footprint);
        }
      }
      break;
  }
}

void TraceEffects::add(FunctionId function, std::uint32_t p, bool passes_over,
                       Footprint& footprint) const {
  const Function& in = program_.functions[function];
  const Action* action = in.action_of(p);
  footprint.frames.insert(function);
  if (action == nullptr || (!in.points[p].targets.empty() && !passes_over)) {
    return;
  }
  if (action->result.valid()) {
    footprint.bound.emplace(function, action->result);
  }
  add_value(function, action->value, footprint);
  add_value(function, action->address, footprint);
  for (const ValueId argument : action->arguments) {
    add_value(function, argument, footprint);
  }
  if (action->kind == Action::Kind::Read || action->kind == Action::Kind::Write) {
    add_place(function, action->address, footprint);
  }
  if (const FunctionId target = straight_target(in.points[p]); target.valid()) {
    add_reads(target, footprint);
  }
}

FunctionId TraceEffects::straight_target(const Point& call) const {
  return call.targets.size() == 1 && !call.repeats && !call.is_alternative &&
                 straight(call.targets.front()) != nullptr
             ? call.targets.front()
             : FunctionId();
}

const std::vector<std::uint32_t>* TraceEffects::straight(FunctionId function, int depth) const {
  const auto [found, fresh] = straight_.try_emplace(function);  // empty while it is looked at
  if (fresh && depth < kDeepestStraight) {
    const Function& in = program_.functions[function];
    std::vector<std::uint32_t> points;
    std::uint32_t p = Function::kEntry;
    while (p != Function::kReturn && in.points[p].next.size() == 1 &&
           points.size() < kLongestStraight) {
      p = in.points[p].next.front();
      if (p == Function::kReturn || !is_straight(function, p, depth)) {
        break;
      }
      points.push_back(p);
    }
    if (p == Function::kReturn) {
      straight_[function] = std::move(points);
    }
  }
  const std::vector<std::uint32_t>& points = straight_[function];
  return points.empty() ? nullptr : &points;
}

bool TraceEffects::is_straight(FunctionId function, std::uint32_t p, int depth) const {
  const Function& in = program_.functions[function];
  const Point& point = in.points[p];
  const Action* action = in.action_of(p);
  if (!point.targets.empty()) {
    return point.kind == PointKind::Call && action != nullptr && point.targets.size() == 1 &&
           !point.repeats && !point.is_alternative &&
           straight(point.targets.front(), depth + 1) != nullptr;
  }
  if (point.kind != PointKind::Step || point.callee.valid() || point.unwind != UINT32_MAX) {
    return false;
  }
  if (action == nullptr) {
    return std::all_of(point.facts.begin(), point.facts.end(),
                       [](const Fact& fact) { return fact.kind == FactKind::Scope; });
  }
  const VariableId variable = variable_at(function, action->address);
  return action->kind != Action::Kind::Write ||
         (variable.valid() && is_exact(variable) &&
          program_.variables[variable].kind == VariableKind::Local);
}

/// What a straight function reads that is not its own.
void TraceEffects::add_reads(FunctionId function, Footprint& footprint) const {
  for (const std::uint32_t p : *straight(function)) {
    const Point& point = program_.functions[function].points[p];
    const Action* action = program_.functions[function].action_of(p);
    if (!point.targets.empty()) {
      add_reads(point.targets.front(), footprint);
    } else if (action != nullptr && action->kind == Action::Kind::Read) {
      add_place(function, action->address, footprint);
    }
  }
}

void TraceEffects::add_value(FunctionId function, ValueId value, Footprint& footprint) const {
  const Function& in = program_.functions[function];
  std::set<ValueId> seen;
  std::vector<ValueId> work = {value};
  while (!work.empty()) {
    const ValueId at = work.back();
    work.pop_back();
    if (!at.valid() || !seen.insert(at).second) {
      continue;
    }
    if (in.values[at].kind == Value::Kind::Bound) {
      footprint.bound.emplace(function, at);
    }
    work.push_back(in.values[at].left);
    work.push_back(in.values[at].right);
  }
}

void TraceEffects::add_place(FunctionId function, ValueId address, Footprint& footprint) const {
  const VariableId variable = variable_at(function, address);
  if (variable.valid()) {
    footprint.variables.insert(variable);
  }
  footprint.memory = footprint.memory || !variable.valid() || !is_exact(variable);
}

}  // namespace nestor::program
