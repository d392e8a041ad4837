#include "program/semantics.h"

#include <algorithm>

// What reading and writing do.

namespace nestor::program {

namespace {

using Phase = SymbolicState::Phase;

}  // namespace

std::optional<Slot> Semantics::slot_at(const std::optional<Datum>& address) const {
  if (!address || address->is_inside || address->kind == Datum::Kind::Number ||
      address->id == kNowhere) {
    return std::nullopt;
  }
  if (address->kind == Datum::Kind::Symbol) {
    return Slot{Slot::Kind::Pointee, address->id, address->number};
  }
  return Slot{Slot::Kind::Variable, address->id, address->number};
}

void Semantics::erase_pointee(const Datum& pointer, SymbolicState& state, bool is_part) const {
  const Slot::Kind kind =
      pointer.kind == Datum::Kind::Symbol ? Slot::Kind::Pointee : Slot::Kind::Variable;
  const bool keeps_names = (is_part || pointer.number != 0) && !pointer.is_inside;
  state.erase_if([&](const Binding& binding) {
    return binding.slot.kind == kind && binding.slot.id == pointer.id &&
           !(keeps_names && binding.slot.offset != pointer.number &&
             leads_to_handle(binding.datum, state));
  });
}

bool Semantics::holds_handle(const std::optional<Datum>& datum, const SymbolicState& state) const {
  const std::optional<std::uint32_t> handle = state.handle();
  return handle && datum && datum->is_symbol(*handle);
}

bool Semantics::leads_to_handle(const std::optional<Datum>& datum,
                                const SymbolicState& state) const {
  const std::optional<std::uint32_t> handle = state.handle();
  return handle && datum && state.leads_to(*datum, *handle);
}

bool Semantics::is_inexact(const Slot& slot) const {
  return slot.kind == Slot::Kind::Variable && !program_.variables[VariableId(slot.id)].exact;
}

/// By a pointer that the function has read.
bool Semantics::may_be_reached(FunctionId function, const Slot& slot) const {
  return is_inexact(slot) && !(tracking_.ends_with_release && is_own(function, slot) &&
                               index_.address_stays(VariableId(slot.id)));
}

/// By type: a field is written as that field or through a pointer to it. Of a variable whose
/// address is known any part may be such a field.
bool Semantics::may_be_one(VariableId written, VariableId other) const {
  const auto is_memory = [&](VariableId location) {
    return !location.valid() || program_.variables[location].kind == VariableKind::Memory;
  };
  return written == other || is_memory(written) || is_memory(other) ||
         program_.variables[other].kind == VariableKind::Global ||
         program_.variables[other].kind == VariableKind::Local;
}

bool Semantics::may_rename(FunctionId function, const Binding& binding,
                           const SymbolicState& state) const {
  if (tracking_.ends_with_release || !leads_to_handle(binding.datum, state) ||
      !index_.writes_pointers(function)) {
    return false;
  }
  return binding.slot.kind == Slot::Kind::Pointee ? !state.symbols[binding.slot.id].is_object &&
                                                        index_.may_touch(function, binding.location)
                                                  : is_inexact(binding.slot);
}

void Semantics::share(const std::optional<Datum>& datum, SymbolicState& state) {
  if (datum && datum->kind == Datum::Kind::Symbol && !state.symbols[datum->id].is_handle) {
    state.symbols[datum->id].is_object = false;
  }
}

bool Semantics::is_kept_name(const Datum& datum, const SymbolicState& state) const {
  return tracking_.ends_with_release && leads_to_handle(datum, state);
}

/// What lies in the member is the handle from now on.
void Semantics::make_member(const Datum& structure, SymbolicState& state) const {
  const Slot slot{Slot::Kind::Pointee, structure.id, tracking_.origin->offset};
  state.phase = Phase::Waiting;
  if (state.find(slot) == nullptr && !state.symbols[structure.id].is_object) {
    Symbol symbol;
    symbol.is_handle = true;
    symbol.numbers = NumberSet::except(0);
    state.phase = Phase::Alive;
    state.bind(slot, Datum::of_symbol(state.add_symbol(symbol)), tracking_.origin->member);
  }
}

/// What lies at the address is the handle from now on, all of it.
void Semantics::make_undefined(const Datum& address, VariableId location,
                               SymbolicState& state) const {
  Symbol symbol;
  symbol.is_handle = true;
  state.phase = Phase::Waiting;
  if (const std::optional<Slot> slot = slot_at(address)) {
    state.phase = Phase::Alive;
    state.bind(*slot, Datum::of_symbol(state.add_symbol(symbol)), location);
  }
}

bool Semantics::is_undefined(const std::optional<Datum>& address,
                             const SymbolicState& state) const {
  if (!tracking_.undefined || !address || address->kind == Datum::Kind::Number ||
      address->id == kNowhere) {
    return false;
  }
  const Binding* whole =
      state.find({address->kind == Datum::Kind::Symbol ? Slot::Kind::Pointee : Slot::Kind::Variable,
                  address->id, 0});
  return whole != nullptr && holds_handle(whole->datum, state);
}

void Semantics::follow(FunctionId function, ValueId address, SymbolicState& state) const {
  const bool is_awaited = tracking_.null && state.phase == Phase::Waiting;
  if (!is_awaited && !relevance_->is_asked(address)) {
    return;
  }
  const std::optional<Datum> pointer = evaluate(function, address, state);
  if (!pointer || pointer->kind != Datum::Kind::Symbol) {
    return;
  }
  NumberSet& numbers = state.symbols[pointer->id].numbers;
  if (const NumberSet left = numbers.meet(NumberSet::except(0)); !left.is_empty()) {
    numbers = left;
  }
}

void Semantics::read(FunctionId function, std::uint32_t point, const Action& action,
                     SymbolicState& state) {
  if (!action.result.valid()) {
    return;
  }
  const VariableId location = location_of(program_.functions[function].points[point]);
  const std::optional<Datum> address = evaluate(function, action.address, state);
  follow(function, action.address, state);
  const std::optional<Slot> slot = slot_at(address);
  const Binding* known = slot ? state.find(*slot) : nullptr;
  if (state.phase == Phase::Chosen && tracking_.ends_with_release && !slot &&
      !tracking_.origin->member.valid()) {
    state.phase = Phase::Waiting;  // where it lies is not known, nor when that is overwritten
    state.erase(Slot::of_register(action.result));
    return;
  }
  if (state.phase == Phase::Chosen) {
    state.phase = Phase::Alive;
    Symbol handle;
    handle.is_handle = !tracking_.origin->member.valid();
    handle.numbers =
        action.bits == 64 ? NumberSet::except(0) : NumberSet::range(0, NumberSet::kHighest);
    if (known != nullptr && known->datum.kind == Datum::Kind::Symbol) {
      // It is known under other names already.
      Symbol& same = state.symbols[known->datum.id];
      const Datum datum = known->datum;
      const NumberSet both = same.numbers.meet(handle.numbers);
      state.bind(Slot::of_register(action.result), datum, {});
      if (both.is_empty()) {
        state.phase = Phase::Waiting;
        return;
      }
      same.is_handle = handle.is_handle;
      same.numbers = both;
      if (!handle.is_handle) {
        make_member(datum, state);
      }
      return;
    }
    if (known != nullptr && known->datum == Datum::of_number(0) && !handle.numbers.contains(0)) {
      state.phase = Phase::Waiting;  // a null pointer: nothing is there
      state.bind(Slot::of_register(action.result), known->datum, {});
      return;
    }
    const Datum datum = Datum::of_symbol(state.add_symbol(handle));
    state.bind(Slot::of_register(action.result), datum, {});
    if (slot) {
      state.bind(*slot, datum, location);
    }
    if (!handle.is_handle) {
      make_member(datum, state);
    }
    return;
  }
  if (known != nullptr) {
    state.bind(Slot::of_register(action.result), known->datum, {});
    return;
  }
  const Relevance& relevance = *relevance_;
  if (!slot || !(relevance.is_tested(action.result) || relevance.may_hold(action.result))) {
    state.erase(Slot::of_register(action.result));
    return;
  }
  // Unknown, but the same each time until it is written.
  const Datum datum = Datum::of_symbol(state.add_symbol({}));
  state.bind(Slot::of_register(action.result), datum, {});
  state.bind(*slot, datum, location);
}

void Semantics::write_datum(FunctionId function, const std::optional<Datum>& address,
                            const std::optional<Datum>& datum, VariableId location,
                            std::uint8_t bits, SymbolicState& state) const {
  if (is_undefined(address, state)) {
    Datum whole = *address;
    whole.is_inside = true;
    erase_pointee(whole, state);  // once a part is written, the rest is taken to be, too
  }
  const std::optional<Slot> slot = slot_at(address);
  if (!slot) {
    share(datum, state);
    // Some place in a variable or a fresh object, or anywhere that pointers lead to.
    const bool is_known =
        address && address->id != kNowhere &&
        (address->kind == Datum::Kind::Address ||
         (address->kind == Datum::Kind::Symbol && state.symbols[address->id].is_object));
    const Slot::Kind kind = address && address->kind == Datum::Kind::Symbol ? Slot::Kind::Pointee
                                                                            : Slot::Kind::Variable;
    state.erase_if([&](const Binding& binding) {
      if (is_kept_name(binding.datum, state)) {
        return false;
      }
      if (is_known) {
        return binding.slot.kind == kind && binding.slot.id == address->id;
      }
      return binding.slot.kind == Slot::Kind::Pointee || may_be_reached(function, binding.slot);
    });
    return;
  }
  if (bits == 0) {  // no number or pointer
    erase_pointee(*address, state);
    return;
  }
  if (slot->kind == Slot::Kind::Pointee && !state.symbols[slot->id].is_object) {
    // Other pointers may lead to the same place.
    state.erase_if([&](const Binding& binding) {
      const bool is_elsewhere =
          binding.slot.kind == Slot::Kind::Pointee
              ? binding.slot.id != slot->id && !state.symbols[binding.slot.id].is_object
              : may_be_reached(function, binding.slot);
      if (!is_elsewhere || (is_kept_name(binding.datum, state))) {
        return false;
      }
      if (leads_to_handle(binding.datum, state)) {
        return may_be_one(location, binding.location);
      }
      const bool is_pointer = binding.datum.kind == Datum::Kind::Symbol && bits == kPointerBits &&
                              !tracking_.ends_with_release;
      return (binding.slot.kind == Slot::Kind::Pointee || is_pointer) &&
             binding.slot.offset == slot->offset;
    });
  }
  if (datum) {
    state.bind(*slot, *datum, location);
  } else {
    state.erase(*slot);
  }
}

/// Two values or more and a positive constant, nothing subtracted: lengths are summed up so.
bool Semantics::is_sum(const Function& in, ValueId value) {
  constexpr int kFewest = 2;
  int values = 0;
  bool has_constant = false;
  for (std::vector<ValueId> work = {value}; !work.empty();) {
    const Value& term = in.values[work.back()];
    work.pop_back();
    if (term.kind == Value::Kind::Add) {
      work.push_back(term.left);
      work.push_back(term.right);
    } else if (term.kind == Value::Kind::Constant) {
      has_constant = true;
      if (term.number <= 0) {
        return false;
      }
    } else if (term.kind == Value::Kind::Bound) {
      ++values;
    } else {
      return false;
    }
  }
  return has_constant && values >= kFewest;
}

/// What counts up from 0 or more is not taken to come round to 0; nor is a sum.
std::optional<NumberSet> Semantics::counted_up(FunctionId function, const Action& write,
                                               const SymbolicState& state) const {
  const Function& in = program_.functions[function];
  const Value& sum = in.values[write.value];
  if (sum.bits == kPointerBits && is_sum(in, write.value)) {
    return NumberSet::range(1, NumberSet::kHighest);
  }
  if (sum.kind != Value::Kind::Add || in.values[sum.right].kind != Value::Kind::Constant ||
      in.values[sum.right].number <= 0) {
    return std::nullopt;
  }
  const std::optional<Datum> left = evaluate(function, sum.left, state);
  if (!left || left->kind == Datum::Kind::Address) {
    return std::nullopt;
  }
  const NumberSet numbers = left->kind == Datum::Kind::Symbol ? state.symbols[left->id].numbers
                                                              : NumberSet::only(left->number);
  const bool is_count =
      left->kind == Datum::Kind::Number || (left->number == 0 && !left->is_inside);
  return is_count && numbers.where(Relation::Less, 0).is_empty()
             ? std::optional(NumberSet::range(1, NumberSet::kHighest))
             : std::nullopt;
}

/// What is written, if it is a comparison; else not valid.
ValueId Semantics::stored_comparison(const Function& in, const Action& write) {
  ValueId value = write.value;
  while (in.values[value].kind == Value::Kind::ZeroExtend ||
         in.values[value].kind == Value::Kind::SignExtend) {
    value = in.values[value].left;
  }
  return in.values[value].kind == Value::Kind::Compare ? value : ValueId();
}

bool Semantics::has_one_way(FunctionId function, std::uint32_t point) const {
  const Function& in = program_.functions[function];
  const Action* action = in.action_of(point);
  return action == nullptr ||
         (action->kind != Action::Kind::Call &&
          (action->kind != Action::Kind::Write || !stored_comparison(in, *action).valid()));
}

void Semantics::write(FunctionId function, std::uint32_t point, const Action& action,
                      SymbolicState before, std::vector<SymbolicState>& after) {
  const Function& in = program_.functions[function];
  const VariableId location = location_of(in.points[point]);
  const std::optional<Datum> address = evaluate(function, action.address, before);
  std::optional<Datum> datum = evaluate(function, action.value, before);
  if (datum && in.values[action.value].kind == Value::Kind::Step &&
      relevance_->is_read_from(in.values[action.value].left, location)) {
    datum->is_inside = true;  // `p++`: how far it goes is not followed
    datum->number = 0;
  }
  const std::optional<NumberSet> counted =
      datum ? std::nullopt : counted_up(function, action, before);
  // A comparison that is stored: the flag and what it was found from go together.
  const ValueId value = stored_comparison(in, action);
  if (!datum && value.valid() && slot_at(address) && relevance_->is_tested(location)) {
    for (const bool truth : {true, false}) {
      SymbolicState state = before;
      if (assume_compared(function, in.values[value], truth, state)) {
        write_datum(function, address, Datum::of_number(truth ? 1 : 0), location, action.bits,
                    state);
        after.push_back(std::move(state));
      }
    }
    return;
  }
  SymbolicState state = std::move(before);
  if (state.phase == Phase::Chosen) {
    Symbol null;
    null.is_handle = true;
    null.numbers = NumberSet::only(0);
    state.phase = Phase::Alive;
    const Datum made = Datum::of_symbol(state.add_symbol(null));
    write_datum(function, address, made, location, kPointerBits, state);
  } else {
    follow(function, action.address, state);
    if (counted) {
      Symbol count;
      count.numbers = *counted;
      datum = Datum::of_symbol(state.add_symbol(count));
    }
    write_datum(function, address, datum, location, action.bits, state);
  }
  after.push_back(std::move(state));
}

}  // namespace nestor::program
