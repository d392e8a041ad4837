// What is known of a whole function, found for the program when it is first asked: whether it leaves
// by a jump, counts down, writes pointers, and which numbers it can return.

#include "program/program_index.h"

#include <algorithm>
#include <vector>

namespace nestor::program {

namespace {

NumberSet joined(const NumberSet& a, const NumberSet& b) {
  if (a.is_empty()) {
    return b;
  }
  if (b.is_empty() || a == b) {
    return a;
  }
  const std::int64_t low = std::min(a.begin()->low, b.begin()->low);
  const std::int64_t high = std::max((a.end() - 1)->high, (b.end() - 1)->high);
  NumberSet hull = NumberSet::range(low, high);
  return a.contains(0) || b.contains(0) ? hull : hull.where(Relation::NotEqual, 0);
}

}  // namespace

bool ProgramIndex::may_jump_out_of(FunctionId function) const {
  if (below_setjmp_.size() == 0) {
    below_setjmp_ = base::BitSet(program_.functions.size());
    std::vector<FunctionId> work;
    for (const FunctionId f : program_.functions.ids()) {
      if (program_.functions[f].longjmp_target != Function::kLongjmp) {
        work.push_back(f);
      }
    }
    if (work.empty()) {
      below_setjmp_.set_all();
    }
    while (!work.empty()) {
      const FunctionId f = work.back();
      work.pop_back();
      for (const Point& point : program_.functions[f].points) {
        for (const FunctionId target : point.targets) {
          if (below_setjmp_.insert(target.value())) {
            work.push_back(target);
          }
        }
      }
    }
  }
  return below_setjmp_.test(function.value());
}

bool ProgramIndex::jumps_out(FunctionId function) const {
  if (jumping_out_.size() == 0) {
    jumping_out_ = base::BitSet(program_.functions.size());
    std::vector<FunctionId> work;
    for (const FunctionId f : program_.functions.ids()) {
      const Function& in = program_.functions[f];
      for (std::uint32_t p = Function::kFirst; p < in.points.size(); ++p) {
        const std::vector<std::uint32_t>& next = in.points[p].next;
        if (p != in.longjmp_target && in.points[p].targets.empty() &&
            std::find(next.begin(), next.end(), Function::kLongjmp) != next.end() &&
            jumping_out_.insert(f.value())) {
          work.push_back(f);
        }
      }
    }
    while (!work.empty()) {
      const FunctionId f = work.back();
      work.pop_back();
      for (const Caller& caller : callers_of(f)) {
        if (program_.functions[caller.function].longjmp_target == Function::kLongjmp &&
            jumping_out_.insert(caller.function.value())) {
          work.push_back(caller.function);
        }
      }
    }
  }
  return jumping_out_.test(function.value());
}

bool ProgramIndex::counts_down(FunctionId function) const {
  const auto [found, fresh] = counting_.try_emplace(function.value(), false);
  if (!fresh) {
    return found->second;
  }
  const Function& in = program_.functions[function];
  std::set<VariableId> counted;   // what they lead to is counted down,
  std::set<VariableId> released;  // and is given to someone who may release it
  const auto add_source = [&](ValueId value, std::set<VariableId>& sources) {
    while (in.values[value].kind == Value::Kind::Step) {
      value = in.values[value].left;
    }
    for (std::uint32_t p = 0; p < in.points.size(); ++p) {
      const Action* binder = in.action_of(p);
      if (binder != nullptr && binder->kind == Action::Kind::Read && binder->result == value &&
          location_of(in.points[p]).valid()) {
        sources.insert(location_of(in.points[p]));
      }
    }
  };
  for (std::uint32_t p = 0; p < in.points.size(); ++p) {
    const Action* action = in.action_of(p);
    if (action == nullptr) {
      continue;
    }
    if (action->kind == Action::Kind::Call) {
      for (std::size_t i = 0; i < action->arguments.size(); ++i) {
        if (takes(in.points[p], i)) {
          add_source(action->arguments[i], released);
        }
      }
    } else if (action->kind == Action::Kind::Write &&
               kind_of(location_of(in.points[p])) == VariableKind::Field) {
      const Value& value = in.values[action->value];
      const auto is_constant = [&](std::int64_t number) {
        return in.values[value.right].kind == Value::Kind::Constant &&
               in.values[value.right].number == number;
      };
      if ((value.kind == Value::Kind::Subtract && is_constant(1)) ||
          (value.kind == Value::Kind::Add && is_constant(-1))) {
        add_source(action->address, counted);
      }
    }
  }
  const bool counts = std::any_of(counted.begin(), counted.end(),
                                  [&](VariableId source) { return released.count(source) != 0; });
  return counting_[function.value()] = counts;
}

bool ProgramIndex::writes_pointers(FunctionId function) const {
  if (writing_pointers_.size() == 0) {
    std::vector<FunctionId> writing;
    for (const FunctionId f : program_.functions.ids()) {
      const Function& in = program_.functions[f];
      for (std::uint32_t p = 0; p < in.points.size(); ++p) {
        const Action* action = in.action_of(p);
        const VariableKind kind = kind_of(location_of(in.points[p]));
        if (action != nullptr && action->kind == Action::Kind::Write &&
            action->bits == kPointerBits &&
            (kind == VariableKind::Field || kind == VariableKind::Memory)) {
          writing.push_back(f);
          break;
        }
      }
    }
    writing_pointers_ = groups_leading_to(writing);
  }
  return writing_pointers_.test(group_of(function));
}

/// Of one value, through the writes of the locals that it was read from, in whatever order.
NumberSet ProgramIndex::results_of(FunctionId function, ValueId value, int depth) {
  const Function& in = program_.functions[function];
  const Value& term = in.values[value];
  if (term.kind == Value::Kind::Constant) {
    return NumberSet::only(term.number);
  }
  if (term.kind == Value::Kind::Address) {
    return NumberSet::except(0);
  }
  if (term.kind == Value::Kind::Compare) {
    return NumberSet::range(0, 1);
  }
  if (depth == 0) {
    return NumberSet::all();
  }
  if (term.kind == Value::Kind::SignExtend ||
      (term.kind == Value::Kind::ZeroExtend && in.values[term.left].bits == 1)) {
    return results_of(function, term.left, depth - 1);
  }
  if (term.kind != Value::Kind::Bound) {
    return NumberSet::all();
  }
  NumberSet result;
  const FunctionUses& uses = uses_of(function);
  for (const std::uint32_t p : uses.binders_of(value)) {
    const Action* binder = in.action_of(p);
    if (binder->kind == Action::Kind::Choose) {
      result = joined(result, results_of(function, binder->value, depth - 1));
    } else if (binder->kind == Action::Kind::Call && in.points[p].targets.size() == 1) {
      const auto known = results_.find(in.points[p].targets.front().value());
      result = joined(result, known == results_.end() ? results_of(in.points[p].targets.front())
                                                      : known->second);
    } else if (binder->kind == Action::Kind::Read) {
      const VariableId location = location_of(in.points[p]);
      const Variable& variable = program_.variables[location];
      if (variable.kind != VariableKind::Local || !variable.exact) {
        return NumberSet::all();
      }
      for (const std::uint32_t writer : uses.writers_of(uses.place_at(p))) {
        result = joined(result, results_of(function, in.action_of(writer)->value, depth - 1));
      }
    } else {
      return NumberSet::all();
    }
    if (result.is_all()) {
      return result;
    }
  }
  return result.is_empty() ? NumberSet::all() : result;
}

const NumberSet& ProgramIndex::results_of(FunctionId function) {
  constexpr int kDeepest = 6;
  const auto [found, fresh] = results_.try_emplace(function.value(), NumberSet::all());
  if (!fresh) {
    return found->second;  // what recursion comes back to can be anything
  }
  const Function& in = program_.functions[function];
  NumberSet result;
  for (std::uint32_t p = 0; p < in.points.size(); ++p) {
    const Action* action = in.action_of(p);
    if (action != nullptr && action->kind == Action::Kind::Return) {
      result = joined(result, results_of(function, action->value, kDeepest));
    }
  }
  if (result.is_empty()) {
    result = NumberSet::all();
  }
  if (result.contains(0)) {
    if (never_null_ == nullptr) {
      never_null_ = std::make_unique<NeverNull>(*this);
    }
    result = never_null_->holds(function) ? result.where(Relation::NotEqual, 0) : result;
  }
  return results_[function.value()] = result;
}

}  // namespace nestor::program
