#include "program/semantics.h"

#include <fmt/format.h>

#include <algorithm>

// Steps inside of a function.

namespace nestor::program {

namespace {

constexpr std::size_t kMostTracked = 8;     // places besides those of the handle
constexpr std::int64_t kItself = -1;        // as an offset: no part of a variable
constexpr std::uint32_t kDeepestNames = 3;  // pointers from a name to the handle

using Phase = SymbolicState::Phase;

}  // namespace

std::string name_of(const Tracking& tracking) {
  const HandleOrigin& origin = *tracking.origin;
  return fmt::format("{} {} {} {} {:d}{:d}{:d}{:d}{:d}{:d}{:d}", origin.function.value(),
                     origin.point, origin.parameter, origin.member.value(), origin.is_handed_out,
                     tracking.failure, tracking.undefined, tracking.address, tracking.null,
                     tracking.ends_with_release, tracking.is_shallow);
}

Semantics::Semantics(ProgramIndex& index, const Tracking& tracking)
    : index_(index), program_(index.program()), tracking_(tracking) {
  if (tracking.address) {
    local_ =
        location_of(program_.functions[tracking.origin->function].points[tracking.origin->point]);
  }
  if (tracking.ends_with_release && !tracking.origin->member.valid()) {
    const Action* maker =
        program_.functions[tracking.origin->function].action_of(tracking.origin->point);
    ends_if_kept_ = maker != nullptr && maker->kind == Action::Kind::Call;
  }
}

/// The value that was found to be null is the handle.
void Semantics::choose_tested(FunctionId function, ValueId value, SymbolicState& state) const {
  const Function& in = program_.functions[function];
  while (in.values[value].kind == Value::Kind::Compare ||
         in.values[value].kind == Value::Kind::ZeroExtend ||
         in.values[value].kind == Value::Kind::ExclusiveOr) {
    value = in.values[value].left;
  }
  const std::optional<Datum> datum = evaluate(function, value, state);
  state.phase = Phase::Waiting;
  if (datum && datum->kind == Datum::Kind::Symbol &&
      state.symbols[datum->id].numbers == NumberSet::only(0)) {
    state.symbols[datum->id].is_handle = true;
    state.phase = Phase::Alive;
  }
}

SymbolicState Semantics::initial(FunctionId root) const {
  SymbolicState state;
  const Function& function = program_.functions[root];
  for (std::uint32_t i = 0; i < function.parameters.size(); ++i) {
    Symbol symbol;
    if (tracking_.origin && tracking_.origin->point == Function::kEntry &&
        tracking_.origin->parameter == i && tracking_.origin->function == root) {
      symbol.is_handle = !tracking_.origin->member.valid();
      symbol.numbers = NumberSet::except(0);
      state.phase = Phase::Alive;
    }
    state.bind({Slot::Kind::Parameter, i, 0}, Datum::of_symbol(state.add_symbol(symbol)), {});
  }
  state.entry_symbols = static_cast<std::uint32_t>(state.symbols.size());
  if (state.phase == Phase::Alive && tracking_.origin->member.valid()) {
    make_member(Datum::of_symbol(tracking_.origin->parameter), state);
  }
  return state;
}

bool Semantics::assume_all(FunctionId function, const Action& action, SymbolicState& state) const {
  return action.is_else
             ? std::all_of(action.others.begin(), action.others.end(),
                           [&](std::int64_t other) {
                             return assume(function, action.value, Relation::NotEqual, other, false,
                                           state);
                           })
             : assume(function, action.value, action.relation, action.number, false, state);
}

void Semantics::step(FunctionId function, std::uint32_t point, SymbolicState before,
                     std::vector<SymbolicState>& after) {
  const Function& in = program_.functions[function];
  const Action* action = in.action_of(point);
  if (action == nullptr) {
    SymbolicState state = std::move(before);
    for (const Fact& fact : in.points[point].facts) {
      if (fact.kind == FactKind::Scope) {
        state.erase_if([&](const Binding& binding) {
          return binding.slot.kind == Slot::Kind::Variable &&
                 binding.slot.id == fact.variable.value();
        });
        if (state.phase == Phase::Chosen && tracking_.address) {
          // As long as the function runs, the local itself holds its address.
          Symbol symbol;
          symbol.is_handle = true;
          symbol.is_object = true;
          symbol.numbers = NumberSet::except(0);
          state.phase = Phase::Alive;
          state.bind({Slot::Kind::Variable, fact.variable.value(), kItself},
                     Datum::of_symbol(state.add_symbol(symbol)), fact.variable);
        } else if (state.phase == Phase::Chosen) {
          make_undefined({Datum::Kind::Address, false, fact.variable.value(), 0}, fact.variable,
                         state);
        }
      }
    }
    after.push_back(std::move(state));
    return;
  }
  if (action->kind == Action::Kind::Write) {
    write(function, point, *action, std::move(before), after);
    return;
  }
  if (action->kind == Action::Kind::Assume && before.phase != Phase::Chosen &&
      !relevance_->is_relevant(point)) {
    // What decides nothing that matters is not kept.
    if (SymbolicState state = before; assume_all(function, *action, state)) {
      after.push_back(std::move(before));
    }
    return;
  }
  const bool is_kept_or_failed =
      action->kind == Action::Kind::Call && is_kept_unless_failed(function, point, before);
  SymbolicState state = std::move(before);
  switch (action->kind) {
    case Action::Kind::Read:
      read(function, point, *action, state);
      break;
    case Action::Kind::Write:
      break;
    case Action::Kind::Choose:
      if (const std::optional<Datum> datum = evaluate(function, action->value, state)) {
        state.bind(Slot::of_register(action->result), *datum, {});
      } else {
        state.erase(Slot::of_register(action->result));
      }
      break;
    case Action::Kind::Assume:
      if (!assume_all(function, *action, state)) {
        return;
      }
      if (state.phase == Phase::Chosen) {
        choose_tested(function, action->value, state);
      }
      break;
    case Action::Kind::Call:
      call_outside(function, point, *action, state);
      if (const std::optional<Datum> inside = found_inside(function, point, state)) {
        after.push_back(state);
        after.back().bind(Slot::of_register(action->result), *inside, {});
        if (index_.external(in.points[point])->failure.kind == ResultClass::Kind::None) {
          return;
        }
        state.bind(Slot::of_register(action->result), Datum::of_number(0), {});
      }
      if (is_kept_or_failed) {
        const ExternalFunction& known = *index_.external(in.points[point]);
        SymbolicState failed = state;
        failed.symbols[failed.find(Slot::of_register(action->result))->datum.id].numbers =
            numbers_of(known.failure);
        after.push_back(std::move(failed));
        state.symbols[state.find(Slot::of_register(action->result))->datum.id].numbers =
            numbers_of(known.success);
        state.symbols[*state.handle()].is_handle = false;
        state.phase = Phase::Kept;
      }
      break;
    case Action::Kind::Return:
      if (const std::optional<Datum> datum = evaluate(function, action->value, state)) {
        state.bind({Slot::Kind::Result, 0, 0}, *datum, {});
      }
      break;
  }
  after.push_back(std::move(state));
}

bool Semantics::is_over(std::uint32_t point, const SymbolicState& state) const {
  switch (state.phase) {
    case Phase::Waiting:
      return !relevance_->may_make(point);
    case Phase::Lost:
    case Phase::Kept:
      // Of locals and null pointers, it matters which ends of the function can be reached then.
      return !tracking_.undefined && !tracking_.null && !tracking_.address;
    default:
      return false;
  }
}

void Semantics::forget_all(SymbolicState& state) const {
  state.bindings.clear();
  state.conditions.clear();
  state.symbols.resize(state.entry_symbols);
  for (std::uint32_t i = 0; i < state.entry_symbols; ++i) {
    state.symbols[i] = entry_->symbols[i];
    state.symbols[i].is_handle = false;
  }
}

void Semantics::forget(FunctionId function, std::uint32_t point, SymbolicState& state) {
  const Relevance& relevance = *relevance_;
  if (is_over(point, state)) {
    forget_all(state);
    return;
  }
  const std::optional<std::uint32_t> handle = state.handle();
  const auto leads = [&](const Datum& datum) { return handle && state.leads_to(datum, *handle); };
  std::size_t tracked[2] = {0, 0};  // places of the function's own, and of others
  // What lies beside the handle, in a structure or in globals, goes with it: who comes to the
  // handle may ask for that first.
  base::PooledVector<std::uint8_t> is_beside(state.symbols.size(), 0);
  bool is_global = false;
  for (const Binding& binding : state.bindings) {
    if (!tracking_.ends_with_release || !handle || !binding.datum.is_symbol(*handle)) {
      continue;
    }
    if (binding.slot.kind == Slot::Kind::Pointee) {
      is_beside[binding.slot.id] = 1;
    } else {
      is_global |= is_in_global(binding.slot);
    }
  }
  const auto is_wanted = [&](const Binding& binding) {
    return relevance.is_live(point, binding.location) ||
           (binding.slot.kind == Slot::Kind::Pointee ? is_beside[binding.slot.id] != 0
                                                     : is_global && is_in_global(binding.slot));
  };
  base::PooledVector<std::uint8_t> is_kept(state.bindings.size(), 0);
  for (std::size_t i = 0; i < state.bindings.size(); ++i) {
    const Binding& binding = state.bindings[i];
    bool keep = false;
    switch (binding.slot.kind) {
      case Slot::Kind::Result:
        keep = true;
        break;
      case Slot::Kind::Register:
        keep = relevance.is_live(point, ValueId(binding.slot.id));
        break;
      case Slot::Kind::Parameter:
        keep = relevance.is_live_parameter(point, binding.slot.id);
        break;
      case Slot::Kind::Variable:
      case Slot::Kind::Pointee:
        keep =
            is_wanted(binding) || leads(binding.datum) || is_told(function, binding, state) ||
            (entry_->find(binding.slot) != nullptr && !is_own(function, binding.slot) &&
             (binding.slot.kind == Slot::Kind::Variable || binding.slot.id < state.entry_symbols));
        break;
    }
    if (keep && !index_.values().conditions && !leads(binding.datum)) {
      keep = index_.values().outcomes && is_outcome(function, binding.slot);
    }
    if (keep && binding.slot.kind != Slot::Kind::Register && !leads(binding.datum) &&
        ++tracked[is_own(function, binding.slot) ? 0 : 1] > kMostTracked) {
      keep = false;
    }
    is_kept[i] = keep ? 1 : 0;
    if (!keep && (binding.slot.kind == Slot::Kind::Pointee ||
                  (binding.slot.kind == Slot::Kind::Variable && !is_own(function, binding.slot)))) {
      share(binding.datum, state);
    }
  }
  std::size_t next = 0;
  state.erase_if([&](const Binding&) { return is_kept[next++] == 0; });
  if (!index_.values().conditions) {
    state.conditions.clear();
  }
  state.cut(kDeepestNames);
  // What was found out about a value that nothing here holds any more is of no use here.
  base::PooledVector<std::uint8_t> is_met(state.entry_symbols, 0);
  for (const Binding& binding : state.bindings) {
    if (binding.datum.kind == Datum::Kind::Symbol && binding.datum.id < state.entry_symbols) {
      is_met[binding.datum.id] = 1;
    }
  }
  for (std::uint32_t i = 0; i < state.entry_symbols; ++i) {
    if (is_met[i] == 0 && !state.symbols[i].is_handle) {
      state.symbols[i].numbers = entry_->symbols[i].numbers;
    }
  }
  state.normalise(ends_if_kept_);
}

/// A number that the function has written where its caller said, or that lies in the handle: a
/// flag.
bool Semantics::is_told(FunctionId function, const Binding& binding,
                        const SymbolicState& state) const {
  if (!tracking_.ends_with_release || binding.datum.kind != Datum::Kind::Number) {
    return false;
  }
  return binding.slot.kind == Slot::Kind::Variable
             ? !is_own(function, binding.slot) && !is_in_global(binding.slot)
             : state.handle() == binding.slot.id;
}

/// Something that a function has returned, or whether some comparison was true.
bool Semantics::is_outcome(FunctionId function, const Slot& slot) const {
  const Function& in = program_.functions[function];
  const FunctionUses& uses = index_.uses_of(function);
  const auto is_result = [&](ValueId value) {
    const std::span<const std::uint32_t> binders = uses.binders_of(value);
    return std::any_of(binders.begin(), binders.end(), [&](std::uint32_t binder) {
      return in.action_of(binder)->kind != Action::Kind::Read;
    });
  };
  if (slot.kind == Slot::Kind::Result) {
    return true;
  }
  if (slot.kind == Slot::Kind::Register) {
    return is_result(ValueId(slot.id));
  }
  const FunctionUses::Place place = slot.kind == Slot::Kind::Variable
                                        ? uses.place_of(VariableId(slot.id))
                                        : FunctionUses::kNoPlace;
  if (place == FunctionUses::kNoPlace) {
    return false;
  }
  const std::span<const std::uint32_t> writers = uses.writers_of(place);
  return std::any_of(writers.begin(), writers.end(), [&](std::uint32_t writer) {
    const ValueId value = in.action_of(writer)->value;
    const std::span<const ValueId> leaves = uses.leaves_of(value);
    return stored_comparison(in, *in.action_of(writer)).valid() ||
           std::any_of(leaves.begin(), leaves.end(), is_result);
  });
}

bool Semantics::is_in_global(const Slot& slot) const {
  return slot.kind == Slot::Kind::Variable &&
         program_.variables[VariableId(slot.id)].kind == VariableKind::Global;
}

bool Semantics::is_own(FunctionId function, const Slot& slot) const {
  return slot.kind == Slot::Kind::Variable &&
         program_.variables[VariableId(slot.id)].kind == VariableKind::Local &&
         program_.variables[VariableId(slot.id)].owner == function;
}

void Semantics::forget_locals(FunctionId function, SymbolicState& state) const {
  if (state.phase != Phase::Waiting && is_over(Function::kReturn, state)) {
    forget_all(state);
    return;
  }
  state.erase_if([&](const Binding& binding) {
    if (binding.slot.kind == Slot::Kind::Register || binding.slot.kind == Slot::Kind::Parameter) {
      return true;
    }
    if (binding.slot.kind != Slot::Kind::Variable) {
      return false;
    }
    const Variable& variable = program_.variables[VariableId(binding.slot.id)];
    return variable.kind == VariableKind::Local && variable.owner == function;
  });
  state.normalise(ends_if_kept_);
}

}  // namespace nestor::program
