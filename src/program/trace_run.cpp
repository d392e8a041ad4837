// What the steps of a path do; trace_run_terms.cpp has what they compute.

#include "program/trace_run.h"

#include <algorithm>

namespace nestor::program {

namespace {

using solver::BitVectorId;

bool overlap(std::int64_t at, std::uint8_t bits, std::int64_t other, std::uint8_t other_bits) {
  return at < other + (other_bits + 7) / 8 && other < at + (bits + 7) / 8;
}

}  // namespace

void TraceRun::run(const std::vector<TraceStep>& steps, const std::vector<std::uint8_t>* counts) {
  solver_.clear();
  frames_.clear();
  memory_.clear();
  addresses_.clear();
  conditions_.clear();
  unknowns_.clear();
  met_.clear();
  older_than_.clear();
  pointers_ = 0;
  frame_count_ = 0;
  for (now_ = 0; now_ < steps.size(); ++now_) {
    step(steps[now_], counts == nullptr || (*counts)[now_] != 0);
  }
}

void TraceRun::step(const TraceStep& step, bool counts) {
  switch (step.kind) {
    case TraceStep::Kind::Enter:
      enter(step, counts);
      return;
    case TraceStep::Kind::ComeBack:
      come_back(step, counts);
      return;
    default:
      break;
  }
  if (frames_.empty() || frame().function != step.function) {
    return;  // before the first function
  }
  switch (step.kind) {
    case TraceStep::Kind::Visit:
      frame().last = step.point;
      note_met(step.point);
      if (counts && function().points[step.point].targets.empty()) {
        perform(step.point, step.is_site);
      }
      break;
    case TraceStep::Kind::PassOver:
      if (counts) {
        pass_over(function().points[step.point], function().action_of(step.point));
      }
      break;
    default:
      if (counts && step.ways->is_unknown) {
        forget_all();
      } else if (counts) {
        for (const UnseenWays::Item& item : step.ways->items) {
          if (!item.is_sure) {
            blur(item.point);
          } else if (function().points[item.point].targets.empty()) {
            perform(item.point, false);
          } else {
            pass_over(function().points[item.point], function().action_of(item.point));
          }
        }
      }
      break;
  }
}

void TraceRun::enter(const TraceStep& step, bool counts) {
  Frame entered{step.callee, ++frame_count_};
  const Action* action = step.function.valid() && !frames_.empty()
                             ? program_.functions[step.function].action_of(step.point)
                             : nullptr;
  if (counts && action != nullptr &&
      !program_.functions[step.function].points[step.point].repeats) {
    for (std::size_t i = 0; i < action->arguments.size(); ++i) {
      Known passed = evaluate(action->arguments[i]);
      passed.support.insert(now_);
      entered.parameters.emplace(static_cast<std::int64_t>(i), std::move(passed));
    }
  }
  frames_.push_back(std::move(entered));
}

void TraceRun::come_back(const TraceStep& step, bool counts) {
  if (frames_.size() < 2) {
    return;
  }
  const Frame left = std::move(frames_.back());
  frames_.pop_back();
  if (!counts) {
    return;
  }
  if (left.last == Function::kLongjmp || !step.function.valid()) {
    forget_all();
    return;
  }
  const Point& call = function().points[step.point];
  const Action* action = function().action_of(step.point);
  if (action != nullptr && action->result.valid()) {
    const bool is_known = left.last == Function::kReturn && left.result && !call.repeats;
    bind(action->result,
         is_known ? *left.result : fresh(width_of(function().values[action->result].bits)));
  }
}

void TraceRun::perform(std::uint32_t p, bool is_site) {
  const Point& point = function().points[p];
  const Action* action = function().action_of(p);
  if (action == nullptr || action->kind != Action::Kind::Choose) {
    frame().chosen.clear();
  }
  if (action == nullptr) {
    change_by(point, point.callee.valid());
    return;
  }
  switch (action->kind) {
    case Action::Kind::Read:
      read(p, *action);
      break;
    case Action::Kind::Write:
      write(p, *action);
      break;
    case Action::Kind::Choose:
      choose(*action);
      break;
    case Action::Kind::Assume:
      assume(*action);
      break;
    case Action::Kind::Call:
      call_outside(point, *action, is_site);
      break;
    case Action::Kind::Return:
      if (action->value.valid()) {
        frame().result = evaluate(action->value);
        frame().result->support.insert(now_);
      }
      break;
  }
}

/// The point may have been passed, any number of times.
void TraceRun::blur(std::uint32_t p) {
  const Point& point = function().points[p];
  const Action* action = function().action_of(p);
  frame().chosen.clear();
  change_by(point, point.callee.valid() || !point.targets.empty());
  if (action == nullptr) {
    return;
  }
  if (action->kind == Action::Kind::Return) {
    frame().result.reset();
  }
  if (action->result.valid()) {
    bind(action->result, fresh(width_of(function().values[action->result].bits)));
  }
  if (action->kind == Action::Kind::Write) {
    const VariableId variable = effects_.variable_at(frame().function, action->address);
    Known somewhere;
    if (variable.valid()) {
      somewhere = address_of(variable);
      somewhere.is_inside = true;
    }
    change_at(somewhere, 0);
  }
}

void TraceRun::forget_all() {
  memory_.clear();
  frame().bound.clear();
  frame().result.reset();
  frame().chosen.clear();
}

void TraceRun::read(std::uint32_t p, const Action& action) {
  if (!action.result.valid()) {
    return;
  }
  const Known address = evaluate(action.address);
  const unsigned bits = width_of(function().values[action.result].bits);
  if (!address.leads_to || address.is_inside || action.bits == 0) {
    bind(action.result, fresh(bits));
    return;
  }
  Place place = *address.leads_to;
  place.bits = action.bits;
  auto found = memory_.find(place);
  if (found == memory_.end()) {
    // The same until it is written.
    Known first = named(bits, location_of(function().points[p]));
    first.support.insert(now_);
    found = memory_.emplace(place, std::move(first)).first;
  }
  Known value = found->second;
  value.support.unite(address.support);
  bind(action.result, std::move(value));
}

void TraceRun::write(std::uint32_t p, const Action& action) {
  const Known address = evaluate(action.address);
  Known value = evaluate(action.value);
  change_by(function().points[p], false);
  change_at(address, action.bits);
  if (address.leads_to && !address.is_inside && action.bits != 0) {
    Place place = *address.leads_to;
    place.bits = action.bits;
    value.support.unite(address.support);
    value.support.insert(now_);
    memory_[place] = std::move(value);
  }
}

/// Where several are chosen at once, each is what the others were before; where one comes after the
/// other, what they are now. Which of both it is cannot be told, so it is neither.
void TraceRun::choose(const Action& action) {
  Seen seen;
  const Known value = evaluate(action.value, seen, 0);
  const std::vector<ValueId>& chosen = frame().chosen;
  const bool depends = std::any_of(chosen.begin(), chosen.end(),
                                   [&](ValueId other) { return seen.count(other) != 0; });
  bind(action.result, depends ? fresh(width_of(function().values[action.result].bits)) : value);
  frame().chosen.push_back(action.result);
}

void TraceRun::assume(const Action& action) {
  Seen seen;
  const Known value = evaluate(action.value, seen, 0);
  const unsigned bits = solver_.bits_of(value.term);
  const BitVectorId wide =
      bits == kWidest ? value.term : solver_.extend(value.term, kWidest, bits > 1);
  BitVectorId condition;
  if (action.is_else) {
    for (const std::int64_t other : action.others) {
      const BitVectorId same =
          compared(Relation::Equal, false, wide, solver_.constant(other, kWidest));
      condition = condition.valid() ? solver_.either(condition, same) : same;
    }
    if (!condition.valid()) {
      return;
    }
    condition = solver_.negation(condition);
  } else {
    condition = compared(action.relation, false, wide, solver_.constant(action.number, kWidest));
  }
  Condition taken{condition, now_, value.support};
  taken.support.insert(now_);
  std::size_t operands = 0;
  for (const auto& [id, known] : seen) {
    const Value::Kind kind = function().values[id].kind;
    const bool is_leaf = kind == Value::Kind::Bound || kind == Value::Kind::Parameter;
    operands += is_leaf || kind == Value::Kind::And || kind == Value::Kind::Add ||
                        kind == Value::Kind::Subtract || kind == Value::Kind::Or
                    ? 1
                    : 0;
    if (is_leaf && known.unknown != UINT32_MAX) {
      taken.unknowns.push_back(known.unknown);
    }
  }
  taken.is_plain = operands < 2;
  conditions_.push_back(std::move(taken));
}

void TraceRun::call_outside(const Point& point, const Action& action, bool is_site) {
  const ExternalFunction* known = index_.external(point);
  std::optional<Known> same;
  if (known != nullptr && known->success.kind == ResultClass::Kind::Argument &&
      known->failure.kind == ResultClass::Kind::None &&
      known->success.argument < action.arguments.size()) {
    same = evaluate(action.arguments[known->success.argument]);
  }
  if (is_site && sites_fail_ && known != nullptr && known->fresh) {
    assume_sizes(point, action);
  }
  change_by(point, true);
  if (!action.result.valid()) {
    return;
  }
  const unsigned bits = width_of(function().values[action.result].bits);
  if (same) {
    bind(action.result, std::move(*same));
    return;
  }
  Known result = named(bits, {}, point.callee);
  if (known != nullptr && known->success.kind != ResultClass::Kind::None) {
    if (!is_site) {
      restrict_to(known->success, &known->failure, result.term);
    } else {
      restrict_to(sites_fail_ ? known->failure : known->success, nullptr, result.term);
    }
  }
  bind(action.result, std::move(result));
}

/// That `malloc (0)` gives a null pointer is no failure.
void TraceRun::assume_sizes(const Point& point, const Action& action) {
  for (std::size_t i = 0; i < action.arguments.size(); ++i) {
    if (index_.use_of(point, i) == ArgumentUse::Value) {
      const Known size = evaluate(action.arguments[i]);
      const BitVectorId zero = solver_.constant(0, solver_.bits_of(size.term));
      Condition condition{compared(Relation::NotEqual, false, size.term, zero), now_, size.support};
      condition.is_plain = true;
      condition.support.insert(now_);
      conditions_.push_back(std::move(condition));
    }
  }
}

void TraceRun::note_met(std::uint32_t p) {
  const Action* action = function().action_of(p);
  if (action == nullptr) {
    return;
  }
  if (action->kind == Action::Kind::Call) {
    for (const ValueId argument : action->arguments) {
      met_[now_].push_back(evaluate(argument));
    }
  } else if (action->address.valid()) {
    met_[now_].push_back(evaluate(action->address));
  }
}

bool TraceRun::meet_same(std::uint32_t step, unsigned argument, std::uint32_t other,
                         bool is_part) const {
  const auto one = met_.find(step);
  const auto two = met_.find(other);
  if (one == met_.end() || two == met_.end() || argument >= one->second.size()) {
    return false;
  }
  const Known& what = one->second[argument];
  return std::any_of(two->second.begin(), two->second.end(), [&](const Known& met) {
    if (what.term == met.term) {
      return true;
    }
    return what.leads_to && met.leads_to && what.leads_to->has_base_of(*met.leads_to) &&
           (is_part ||
            (!what.is_inside && !met.is_inside && what.leads_to->offset == met.leads_to->offset));
  });
}

void TraceRun::run_through(FunctionId straight, const Action& call) {
  Frame entered{straight, ++frame_count_};
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    entered.parameters.emplace(static_cast<std::int64_t>(i), evaluate(call.arguments[i]));
  }
  frames_.push_back(std::move(entered));
  for (const std::uint32_t p : *effects_.straight(straight)) {
    const Point& point = function().points[p];
    if (point.targets.empty()) {
      perform(p, false);
    } else {
      pass_over(point, function().action_of(p));
    }
  }
  const std::optional<Known> result = std::move(frame().result);
  frames_.pop_back();
  if (call.result.valid()) {
    bind(call.result, result ? *result : fresh(width_of(function().values[call.result].bits)));
  }
}

void TraceRun::pass_over(const Point& point, const Action* action) {
  frame().chosen.clear();
  const FunctionId straight = effects_.straight_target(point);
  if (straight.valid() && action != nullptr) {
    run_through(straight, *action);
    return;
  }
  change_by(point, true);
  if (action == nullptr || !action->result.valid()) {
    return;
  }
  Known result = fresh(width_of(function().values[action->result].bits));
  const unsigned bits = solver_.bits_of(result.term);
  if (point.targets.size() == 1 && !point.repeats && bits > 1) {
    const NumberSet& numbers = index_.results_of(point.targets.front());
    BitVectorId any;
    const BitVectorId wide =
        bits == kWidest ? result.term : solver_.extend(result.term, kWidest, true);
    for (const NumberSet::Range& range : numbers) {
      const ResultClass one{ResultClass::Kind::Range, range.low, range.high, 0};
      any = any.valid() ? solver_.either(any, is_in(one, wide)) : is_in(one, wide);
    }
    if (any.valid() && !numbers.is_all()) {
      solver_.assert_always(any);
    }
  }
  bind(action->result, std::move(result));
}

void TraceRun::change_by(const Point& point, bool is_call) {
  forget_places([&](const Place& place) {
    const VariableId variable = place.is_variable ? VariableId(place.id) : VariableId();
    return is_call ? effects_.call_changes(point, variable) : effects_.may_define(point, variable);
  });
}

/// Something is written there. An address of which nothing is known may be any that is known.
void TraceRun::change_at(const Known& address, std::uint8_t bits) {
  const bool is_open = !address.leads_to || !is_named(*address.leads_to);
  forget_places([&](const Place& place) {
    if (!address.leads_to) {
      return !is_named(place);
    }
    if (place.has_base_of(*address.leads_to)) {
      return address.is_inside || bits == 0 ||
             overlap(address.leads_to->offset, bits, place.offset, place.bits);
    }
    // Two variables are never the same; two pointers may be, and may lead into a variable.
    const Place& written = *address.leads_to;
    if (!is_open || is_named(place) || (place.is_variable && written.is_variable)) {
      return false;
    }
    return place.is_variable ? !is_older(written, place)
                             : !written.is_variable || !is_older(place, written);
  });
}

}  // namespace nestor::program
