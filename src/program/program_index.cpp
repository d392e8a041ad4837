#include "program/program_index.h"

#include "base/strong_components.h"

#include <algorithm>
#include <cassert>
#include <iterator>

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

ProgramIndex::ProgramIndex(const Program& program, const Externals& externals,
                           const ValuesFollowed& values)
    : program_(program),
      externals_(externals),
      values_(values),
      callers_(program.functions.size()),
      touching_(program.variables.size()) {
  for (const FunctionId f : program.functions.ids()) {
    const Function& function = program.functions[f];
    for (std::uint32_t p = 0; p < function.points.size(); ++p) {
      const Point& point = function.points[p];
      for (const FunctionId target : point.targets) {
        callers_[target.value()].push_back({f, p});
      }
      for (const Fact& fact : point.facts) {
        if (fact.kind != FactKind::Use && fact.kind != FactKind::Def &&
            fact.kind != FactKind::MayDef) {
          continue;
        }
        if (program.variables[fact.variable].kind != VariableKind::Local) {
          std::vector<FunctionId>& direct = direct_[fact.variable.value()];
          if (direct.empty() || direct.back() != f) {
            direct.push_back(f);
          }
        }
      }
    }
  }
  find_groups();
}

void ProgramIndex::find_groups() {
  const auto next = [&](std::uint32_t function, std::uint32_t& i) {
    const std::vector<Caller>& callers = callers_[function];
    return i < callers.size() ? callers[i++].function.value() : base::StrongComponents::kNone;
  };
  const base::StrongComponents groups = base::strong_components(callers_.size(), next, [] {});
  group_of_ = groups.of;
  calling_groups_.resize(groups.count);
  for (std::size_t function = 0; function < callers_.size(); ++function) {
    for (const Caller& caller : callers_[function]) {
      calling_groups_[group_of_[function]].push_back(group_of_[caller.function.value()]);
    }
  }
  for (std::vector<std::uint32_t>& calling : calling_groups_) {
    std::sort(calling.begin(), calling.end());
    calling.erase(std::unique(calling.begin(), calling.end()), calling.end());
  }
}

const std::set<ProgramIndex::Field>& ProgramIndex::fields_of(FunctionId f) {
  const auto [found, fresh] = fields_.try_emplace(f.value());
  std::set<Field>& fields = found->second;
  if (!fresh) {
    return fields;
  }
  const Function& function = program_.functions[f];
  for (std::uint32_t p = 0; p < function.points.size(); ++p) {
    const Action* action = function.action_of(p);
    if (action == nullptr || action->kind != Action::Kind::Read || action->bits == 0) {
      continue;
    }
    Field field;
    field.bytes = (action->bits + 7) / 8;
    field.location = location_of(function.points[p]);
    ValueId at = action->address;
    for (; function.values[at].kind == Value::Kind::Step; at = function.values[at].left) {
      field.offset += function.values[at].number;
    }
    const Value::Kind kind = function.values[at].kind;
    if (kind == Value::Kind::Address) {
      field.base = function.values[at].variable;
    } else if (kind != Value::Kind::Bound && kind != Value::Kind::Parameter) {
      continue;
    }
    fields.insert(field);
  }
  return fields;
}

const FunctionUses& ProgramIndex::uses_of(FunctionId function) {
  std::unique_ptr<FunctionUses>& known = uses_[function.value()];
  if (known == nullptr) {
    known = std::make_unique<FunctionUses>(program_.functions[function]);
  }
  return *known;
}

const Relevance& ProgramIndex::relevance(FunctionId function, const HandleSeeds& seeds) {
  const auto number =
      relevance_ids_
          .try_emplace({function, seeds}, static_cast<std::uint32_t>(relevance_ids_.size()))
          .first->second;
  relevance_.resize(relevance_ids_.size());
  std::unique_ptr<Relevance>& found = relevance_[number];
  if (found == nullptr) {
    const Function& in = program_.functions[function];
    const FunctionUses& uses = uses_of(function);
    std::unique_ptr<Dependences>& known = dependences_[function.value()];
    if (known == nullptr) {
      known = std::make_unique<Dependences>(program_, in, uses);
    }
    found = std::make_unique<Relevance>(in, uses, known->dependents, known->control, seeds, *this,
                                        number);
    points_with_relevance_ += in.points.size();
  }
  return *found;
}

void ProgramIndex::forget_relevance() {
  constexpr std::size_t kMostPoints = 1'000'000;
  if (points_with_relevance_ > kMostPoints) {
    relevance_.clear();
    points_with_relevance_ = 0;
  }
}

const ExternalFunction* ProgramIndex::external(const Point& point) const {
  if (!point.callee.valid() || !point.targets.empty()) {
    return nullptr;
  }
  const auto [found, fresh] = externals_by_name_.try_emplace(point.callee.value(), nullptr);
  if (fresh) {
    found->second = externals_.find(program_.text(point.callee));
  }
  return found->second;
}

ArgumentUse ProgramIndex::use_of(const Point& point, std::size_t argument) const {
  if (const ExternalFunction* known = external(point)) {
    return known->use_of(argument);
  }
  return point.callee.valid() && externals_.borrows.count(program_.text(point.callee)) != 0
             ? ArgumentUse::ReadsWrites
             : ArgumentUse::Unknown;
}

bool ProgramIndex::borrows_outside(const Point& call, std::size_t argument, Reach reach) const {
  switch (use_of(call, argument)) {
    case ArgumentUse::Value:
    case ArgumentUse::Uses:
      return true;
    case ArgumentUse::Reads: {
      const std::string_view name = program_.text(call.callee);
      return reach == Reach::Itself || (name != "memcpy" && name != "memmove");
    }
    case ArgumentUse::Writes:
    case ArgumentUse::ReadsWrites:
    case ArgumentUse::Initialises:
      return reach == Reach::Itself;
    default:
      return false;
  }
}

bool ProgramIndex::copies_memory(const Point& call) const {
  const std::string_view name = program_.text(call.callee);
  return name == "memcpy" || name == "memmove";
}

bool ProgramIndex::gives_back(const Point& call, std::size_t argument) const {
  const ExternalFunction* known = external(call);
  return known != nullptr && known->success.argument == argument &&
         (known->success.kind == ResultClass::Kind::Argument ||
          known->success.kind == ResultClass::Kind::Inside);
}

bool ProgramIndex::borrows(FunctionId function, std::size_t argument, Reach reach) const {
  if (borrowing_ == nullptr) {
    borrowing_ = std::make_unique<Borrowing>(*this);
  }
  return borrowing_->borrows(function, argument, reach);
}

const std::vector<std::uint32_t>& ProgramIndex::alternatives_to(FunctionId function,
                                                                std::uint32_t point) {
  const auto [found, fresh] = alternatives_.try_emplace(function.value());
  if (fresh) {
    const Function& in = program_.functions[function];
    for (const Point& choice : in.points) {
      std::vector<std::uint32_t> all;
      std::copy_if(choice.next.begin(), choice.next.end(), std::back_inserter(all),
                   [&](std::uint32_t next) { return in.points[next].is_alternative; });
      if (!all.empty()) {
        found->second.push_back(std::move(all));
      }
    }
  }
  const auto of_point = std::find_if(
      found->second.begin(), found->second.end(),
      [&](const auto& all) { return std::find(all.begin(), all.end(), point) != all.end(); });
  assert(of_point != found->second.end());
  return *of_point;
}

bool ProgramIndex::is_lent(const Point& call, std::size_t argument, Reach reach) const {
  return call.targets.empty()
             ? borrows_outside(call, argument, reach) && !gives_back(call, argument)
             : std::all_of(call.targets.begin(), call.targets.end(),
                           [&](FunctionId target) { return borrows(target, argument, reach); });
}

bool ProgramIndex::borrows_from(FunctionId function, VariableId location, Reach reach) const {
  if (borrowing_ == nullptr) {
    borrowing_ = std::make_unique<Borrowing>(*this);
  }
  return !may_touch(function, location) || borrowing_->borrows_from(function, location, reach);
}

bool ProgramIndex::may_take_from(const Point& call, VariableId location) const {
  return std::any_of(call.targets.begin(), call.targets.end(), [&](FunctionId target) {
    return !borrows_from(target, location, Reach::Everything);
  });
}

bool ProgramIndex::takes(const Point& call, std::size_t argument) const {
  return call.targets.empty()
             ? !borrows_outside(call, argument, Reach::Itself)
             : call.is_alternative ||
                   std::any_of(call.targets.begin(), call.targets.end(), [&](FunctionId target) {
                     return !borrows(target, argument, Reach::Itself);
                   });
}

bool ProgramIndex::gives_out(const Point& call, std::size_t argument) const {
  return call.targets.empty()
             ? gives_back(call, argument) || use_of(call, argument) == ArgumentUse::Unknown
             : call.is_alternative ||
                   std::any_of(call.targets.begin(), call.targets.end(), [&](FunctionId target) {
                     return !borrows(target, argument, Reach::Everything);
                   });
}

/// The call comes back, and nothing else.
bool ProgramIndex::is_harmless(const Point& call) const {
  return std::all_of(call.targets.begin(), call.targets.end(), [&](FunctionId target) {
    const Outcomes& outcomes = program_.functions[target].outcomes;
    return outcomes.returns && !outcomes.unwinds && !outcomes.longjmps;
  });
}

const std::vector<VariableId>& ProgramIndex::handles_stored_by(FunctionId function) const {
  constexpr std::uint8_t kFewestBits = 32;  // of a handle
  const auto [found, fresh] = stored_.try_emplace(function.value());
  if (!fresh) {
    return found->second;
  }
  const Function& in = program_.functions[function];
  for (std::uint32_t p = 0; p < in.points.size(); ++p) {
    const Action* action = in.action_of(p);
    const VariableId location = location_of(in.points[p]);
    if (action != nullptr && action->kind == Action::Kind::Write && location.valid() &&
        action->bits >= kFewestBits && in.values[action->value].kind == Value::Kind::Bound &&
        program_.variables[location].kind != VariableKind::Local) {
      found->second.push_back(location);
    }
  }
  return found->second;
}

bool ProgramIndex::may_touch(const Point& call, VariableId location) const {
  return std::any_of(call.targets.begin(), call.targets.end(),
                     [&](FunctionId target) { return may_touch(target, location); });
}

const base::BitSet& ProgramIndex::find_touching(VariableId location) const {
  return touching_[location] = groups_leading_to(accessing(location));
}

base::BitSet ProgramIndex::groups_leading_to(const std::vector<FunctionId>& functions) const {
  base::BitSet leading(calling_groups_.size());
  std::vector<std::uint32_t> work;
  for (const FunctionId function : functions) {
    if (leading.insert(group_of_[function.value()])) {
      work.push_back(group_of_[function.value()]);
    }
  }
  while (!work.empty()) {
    const std::uint32_t group = work.back();
    work.pop_back();
    for (const std::uint32_t calling : calling_groups_[group]) {
      if (leading.insert(calling)) {
        work.push_back(calling);
      }
    }
  }
  return leading;
}

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
