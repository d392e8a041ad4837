#include "program/program_index.h"

#include "base/strong_components.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace nestor::program {

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

}  // namespace nestor::program
