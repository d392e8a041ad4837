#include "program/semantics.h"

#include <algorithm>
#include <cassert>

namespace nestor::program {

namespace {

constexpr std::int64_t kLargestCount = 1;   // numbers that are counted with; others may be anything
constexpr std::int64_t kMostCopied = 4096;  // of memory that is copied part by part
constexpr std::size_t kMostTracked = 8;     // places besides those of the handle
constexpr std::uint32_t kDeepestNames = 3;  // pointers from a name to the handle
constexpr std::int64_t kFirstDescriptor = 3;  // after those of the standard streams

using Phase = SymbolicState::Phase;

Slot register_slot(ValueId value) {
  return {Slot::Kind::Register, value.value(), 0};
}

bool is_pointer_like(const Datum& datum) {
  return datum.kind != Datum::Kind::Number;
}

}  // namespace

// ---- values ----------------------------------------------------------------------------------

std::optional<Datum> Semantics::evaluate(FunctionId function, ValueId value,
                                         const SymbolicState& state) const {
  if (!value.valid()) {
    return std::nullopt;
  }
  const Value& term = program_.functions[function].values[value];
  const auto bound = [&](const Slot& slot) -> std::optional<Datum> {
    const Binding* binding = state.find(slot);
    return binding == nullptr ? std::nullopt : std::optional(binding->datum);
  };
  switch (term.kind) {
    case Value::Kind::Bound:
      return bound(register_slot(value));
    case Value::Kind::Parameter:
      return bound({Slot::Kind::Parameter, static_cast<std::uint32_t>(term.number), 0});
    case Value::Kind::Constant:
      return Datum::of_number(term.number);
    case Value::Kind::Address:
      return Datum{Datum::Kind::Address, false,
                   term.variable.valid() && !program_.variables[term.variable].is_constant
                       ? term.variable.value()
                       : kNowhere,
                   0};
    case Value::Kind::Step: {
      std::optional<Datum> base = evaluate(function, term.left, state);
      if (base && base->kind == Datum::Kind::Number) {
        return std::nullopt;  // a part of what is at no address
      }
      if (base && !base->is_inside) {
        base->number += term.number;
      }
      return base;
    }
    case Value::Kind::Inside: {
      std::optional<Datum> base = evaluate(function, term.left, state);
      if (!base || base->kind == Datum::Kind::Number) {
        return std::nullopt;
      }
      base->is_inside = true;
      base->number = 0;
      return base;
    }
    case Value::Kind::Compare:
      return compared(function, term, state);
    case Value::Kind::Add:
    case Value::Kind::Subtract:
    case Value::Kind::And:
    case Value::Kind::Or:
    case Value::Kind::ExclusiveOr: {
      const std::optional<Datum> left = evaluate(function, term.left, state);
      const std::optional<Datum> right = evaluate(function, term.right, state);
      if (!left || !right || is_pointer_like(*left) || is_pointer_like(*right)) {
        return std::nullopt;
      }
      const std::int64_t a = left->number;
      const std::int64_t b = right->number;
      if (term.kind == Value::Kind::And) {
        return Datum::of_number(a & b);
      }
      if (term.kind == Value::Kind::Or) {
        return Datum::of_number(a | b);
      }
      if (term.kind == Value::Kind::ExclusiveOr) {
        return Datum::of_number(a ^ b);
      }
      if (a < -kLargestCount || a > kLargestCount || b < -kLargestCount || b > kLargestCount) {
        return std::nullopt;  // counts without end
      }
      return Datum::of_number(term.kind == Value::Kind::Add ? a + b : a - b);
    }
    case Value::Kind::SignExtend:
      return evaluate(function, term.left, state);
    case Value::Kind::ZeroExtend:
    case Value::Kind::Truncate: {
      const std::optional<Datum> operand = evaluate(function, term.left, state);
      if (!operand) {
        return std::nullopt;
      }
      // The same number, if it has room and no sign.
      const std::int64_t highest =
          term.bits >= 64 ? NumberSet::kHighest : (std::int64_t{1} << (term.bits - 1)) - 1;
      const bool is_flag = term.kind == Value::Kind::Truncate && term.bits == 1;
      const NumberSet fitting = NumberSet::range(
          term.kind == Value::Kind::ZeroExtend ? 0 : -highest - 1, is_flag ? 1 : highest);
      const NumberSet numbers = operand->kind == Datum::Kind::Symbol
                                    ? state.symbols[operand->id].numbers
                                    : NumberSet::only(operand->number);
      const bool is_kept_flag = is_flag && operand->kind == Datum::Kind::Symbol;
      return operand->kind != Datum::Kind::Address &&
                     (is_kept_flag || numbers.meet(fitting) == numbers)
                 ? operand
                 : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

/// What a comparison gives, if that is known: 0 or 1.
std::optional<Datum> Semantics::compared(FunctionId function, const Value& term,
                                         const SymbolicState& state) const {
  SymbolicState as_true = state;
  if (!assume_compared(function, term, true, as_true)) {
    return Datum::of_number(0);
  }
  SymbolicState as_false = state;
  if (!assume_compared(function, term, false, as_false)) {
    return Datum::of_number(1);
  }
  return std::nullopt;
}

bool Semantics::assume(FunctionId function, ValueId value, Relation relation, std::int64_t number,
                       bool is_unsigned, SymbolicState& state) const {
  const Function& in = program_.functions[function];
  const Value& term = in.values[value];
  const bool if_one = holds(1, relation, number);
  const bool if_zero = holds(0, relation, number);
  switch (term.kind) {
    case Value::Kind::SignExtend:
      return assume(function, term.left, relation, number, is_unsigned, state);
    case Value::Kind::ZeroExtend:
      if (in.values[term.left].bits == 1) {
        return assume(function, term.left, relation, number, is_unsigned, state);
      }
      break;
    case Value::Kind::Truncate:
      if (term.bits == 1 && if_one != if_zero) {
        return assume(function, term.left, if_one ? Relation::NotEqual : Relation::Equal, 0, false,
                      state);
      }
      break;
    case Value::Kind::Compare:
      return if_one == if_zero ? if_one : assume_compared(function, term, if_one, state);
    case Value::Kind::ExclusiveOr:
      if (term.bits == 1 && in.values[term.right].kind == Value::Kind::Constant &&
          in.values[term.right].number == 1 && if_one != if_zero) {
        return assume(function, term.left, if_one ? Relation::Equal : Relation::NotEqual, 0, false,
                      state);
      }
      break;
    case Value::Kind::And:
    case Value::Kind::Or:
      if (term.bits == 1 && if_one != if_zero && if_one == (term.kind == Value::Kind::And)) {
        const Relation both = if_one ? Relation::NotEqual : Relation::Equal;
        return assume(function, term.left, both, 0, false, state) &&
               assume(function, term.right, both, 0, false, state);
      }
      break;
    default:
      break;
  }
  const std::optional<Datum> datum = evaluate(function, value, state);
  if (!datum) {
    return true;
  }
  NumberSet numbers = NumberSet::only(datum->number);
  const bool is_exact = datum->number == 0 && !datum->is_inside;
  if (datum->kind == Datum::Kind::Symbol) {
    numbers = is_exact ? state.symbols[datum->id].numbers : NumberSet::except(0);
  } else if (datum->kind == Datum::Kind::Address) {
    numbers = NumberSet::except(0);
  }
  const NumberSet left =
      is_unsigned ? numbers.where_unsigned(relation, number) : numbers.where(relation, number);
  if (left.is_empty()) {
    return false;
  }
  if (datum->kind == Datum::Kind::Symbol && is_exact) {
    state.symbols[datum->id].numbers = left;
  }
  return true;
}

bool Semantics::assume_compared(FunctionId function, const Value& term, bool truth,
                                SymbolicState& state) const {
  const Relation relation = truth ? term.relation : negated(term.relation);
  const std::optional<Datum> right = evaluate(function, term.right, state);
  if (right && right->kind == Datum::Kind::Number) {
    return assume(function, term.left, relation, right->number, term.is_unsigned, state);
  }
  const std::optional<Datum> left = evaluate(function, term.left, state);
  if (left && left->kind == Datum::Kind::Number) {
    return assume(function, term.right, swapped(relation), left->number, term.is_unsigned, state);
  }
  if (!left || !right || left->is_inside || right->is_inside) {
    return true;
  }
  const bool same_base = left->kind == right->kind && left->id == right->id && left->id != kNowhere;
  if (same_base) {
    return holds(left->number, relation, right->number);
  }
  if (left->kind == Datum::Kind::Address && right->kind == Datum::Kind::Address) {
    return relation != Relation::Equal || left->id == kNowhere || right->id == kNowhere;
  }
  // What was made here is at no address that was there before.
  const auto is_new = [&](const Datum& datum) {
    return datum.kind == Datum::Kind::Symbol && state.symbols[datum.id].is_object &&
           !state.symbols[datum.id].numbers.contains(0) && datum.id >= state.entry_symbols;
  };
  // Nor is it what something else holds, as long as it has not escaped.
  const bool is_secret = tracking_.ends_with_release && state.phase == Phase::Alive;
  const auto was_there = [&](const Datum& datum) {
    return is_secret || datum.kind == Datum::Kind::Address || datum.id < state.entry_symbols ||
           is_new(datum);
  };
  if ((is_new(*left) && was_there(*right)) || (is_new(*right) && was_there(*left))) {
    return relation != Relation::Equal;
  }
  if (left->kind == Datum::Kind::Symbol && right->kind == Datum::Kind::Symbol &&
      relation == Relation::Equal && left->number == 0 && right->number == 0) {
    const NumberSet both = state.symbols[left->id].numbers.meet(state.symbols[right->id].numbers);
    if (both.is_empty()) {
      return false;
    }
    state.symbols[left->id].numbers = both;
    state.symbols[right->id].numbers = both;
  }
  return true;
}

// ---- memory ----------------------------------------------------------------------------------

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
  return handle && datum && state.reachable_symbols({*datum})[*handle] != 0;
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

void Semantics::read(FunctionId function, std::uint32_t point, const Action& action,
                     SymbolicState& state) {
  if (!action.result.valid()) {
    return;
  }
  const VariableId location = location_of(program_.functions[function].points[point]);
  const std::optional<Slot> slot = slot_at(evaluate(function, action.address, state));
  const Binding* known = slot ? state.find(*slot) : nullptr;
  if (state.phase == Phase::Chosen) {
    state.phase = Phase::Alive;
    Symbol handle;
    handle.is_handle = true;
    handle.numbers =
        action.bits == 64 ? NumberSet::except(0) : NumberSet::range(0, NumberSet::kHighest);
    if (known != nullptr && known->datum.kind == Datum::Kind::Symbol) {
      // It is known under other names already.
      Symbol& same = state.symbols[known->datum.id];
      same.is_handle = true;
      same.numbers = same.numbers.meet(handle.numbers);
      state.bind(register_slot(action.result), known->datum, {});
      return;
    }
    const Datum datum = Datum::of_symbol(state.add_symbol(handle));
    state.bind(register_slot(action.result), datum, {});
    if (slot) {
      state.bind(*slot, datum, location);
    }
    return;
  }
  if (known != nullptr) {
    state.bind(register_slot(action.result), known->datum, {});
    return;
  }
  const Relevance& relevance = *relevance_;
  if (!slot || !(relevance.is_tested(action.result) || relevance.may_hold(action.result))) {
    state.erase(register_slot(action.result));
    return;
  }
  // Unknown, but the same each time until it is written.
  const Datum datum = Datum::of_symbol(state.add_symbol({}));
  state.bind(register_slot(action.result), datum, {});
  state.bind(*slot, datum, location);
}

void Semantics::write_datum(const std::optional<Datum>& address, const std::optional<Datum>& datum,
                            VariableId location, bool is_whole, SymbolicState& state) const {
  if (is_undefined(address, state)) {
    erase_pointee(*address, state);  // once a part is written, the rest is taken to be, too
  }
  const std::optional<Slot> slot = slot_at(address);
  if (!slot) {
    // Anywhere that pointers lead to; names of the handle may be gone then, and may be not.
    const std::optional<std::uint32_t> handle = state.handle();
    const bool is_known = address && address->kind == Datum::Kind::Address &&
                          address->id != kNowhere;  // an array or a structure, at some place
    state.erase_if([&](const Binding& binding) {
      if (handle && state.reachable_symbols({binding.datum})[*handle] != 0) {
        return false;
      }
      if (is_known) {
        return binding.slot.kind == Slot::Kind::Variable && binding.slot.id == address->id;
      }
      return binding.slot.kind == Slot::Kind::Pointee ||
             (binding.slot.kind == Slot::Kind::Variable &&
              !program_.variables[VariableId(binding.slot.id)].exact);
    });
    return;
  }
  if (!is_whole) {
    erase_pointee(*address, state);
    return;
  }
  if (slot->kind == Slot::Kind::Pointee && !state.symbols[slot->id].is_object) {
    // Other pointers may lead to the same place.
    const std::optional<std::uint32_t> handle = state.handle();
    state.erase_if([&](const Binding& binding) {
      return binding.slot.kind == Slot::Kind::Pointee && binding.slot.id != slot->id &&
             binding.slot.offset == slot->offset && !state.symbols[binding.slot.id].is_object &&
             !(handle && binding.datum.is_symbol(*handle));
    });
  }
  if (datum) {
    state.bind(*slot, *datum, location);
  } else {
    state.erase(*slot);
  }
}

void Semantics::write(FunctionId function, std::uint32_t point, const Action& action,
                      const SymbolicState& before, std::vector<SymbolicState>& after) {
  const Function& in = program_.functions[function];
  const VariableId location = location_of(in.points[point]);
  const std::optional<Datum> address = evaluate(function, action.address, before);
  std::optional<Datum> datum = evaluate(function, action.value, before);
  if (datum && in.values[action.value].kind == Value::Kind::Step &&
      relevance_->is_read_from(in.values[action.value].left, location)) {
    datum->is_inside = true;  // `p++`: how far it goes is not followed
    datum->number = 0;
  }
  // A comparison that is stored: the flag and what it was found from go together.
  ValueId value = action.value;
  while (in.values[value].kind == Value::Kind::ZeroExtend ||
         in.values[value].kind == Value::Kind::SignExtend) {
    value = in.values[value].left;
  }
  if (!datum && in.values[value].kind == Value::Kind::Compare && slot_at(address) &&
      relevance_->is_tested(location)) {
    for (const bool truth : {true, false}) {
      SymbolicState state = before;
      if (assume_compared(function, in.values[value], truth, state)) {
        write_datum(address, Datum::of_number(truth ? 1 : 0), location, true, state);
        after.push_back(std::move(state));
      }
    }
    return;
  }
  SymbolicState state = before;
  if (state.phase == Phase::Chosen) {
    Symbol null;
    null.is_handle = true;
    null.numbers = NumberSet::only(0);
    state.phase = Phase::Alive;
    const Datum made = Datum::of_symbol(state.add_symbol(null));
    write_datum(address, made, location, true, state);
  } else {
    write_datum(address, datum, location, action.bits != 0, state);
  }
  after.push_back(std::move(state));
}

// ---- calls of functions outside the program -----------------------------------------------------

NumberSet Semantics::results_of(const ExternalFunction& known) const {
  const auto numbers = [](const ResultClass& one) {
    switch (one.kind) {
      case ResultClass::Kind::Range:
        return NumberSet::range(one.low, one.high);
      case ResultClass::Kind::Null:
        return NumberSet::only(0);
      case ResultClass::Kind::NonZero:
      case ResultClass::Kind::NonNull:
      case ResultClass::Kind::Inside:
        return NumberSet::except(0);
      default:
        return NumberSet::all();
    }
  };
  if (known.success.kind == ResultClass::Kind::None) {
    return NumberSet::all();
  }
  const NumberSet success = numbers(known.success);
  if (known.failure.kind == ResultClass::Kind::None) {
    return success;
  }
  const NumberSet failure = numbers(known.failure);
  // Both together: small gaps do not matter.
  const std::int64_t low = std::min(success.begin()->low, failure.begin()->low);
  const std::int64_t high = std::max((success.end() - 1)->high, (failure.end() - 1)->high);
  const NumberSet hull = NumberSet::range(low, high);
  return success.contains(0) || failure.contains(0) ? hull : hull.where(Relation::NotEqual, 0);
}

/// What the call gives if it makes the handle.
Symbol Semantics::made(const ExternalFunction* known) const {
  Symbol symbol;
  symbol.is_handle = true;
  if (known == nullptr) {
    symbol.numbers = tracking_.failure ? NumberSet::only(0) : NumberSet::except(0);
    return symbol;
  }
  const ResultClass& outcome = tracking_.failure ? known->failure : known->success;
  if (!tracking_.failure && known->family == "descriptor") {
    // Those below are open from the start, and kept on purpose where they are opened anew.
    symbol.is_object = true;
    symbol.numbers = NumberSet::range(kFirstDescriptor, NumberSet::kHighest);
    return symbol;
  }
  symbol.is_object = !tracking_.failure;
  switch (outcome.kind) {
    case ResultClass::Kind::Range:
      symbol.numbers = NumberSet::range(outcome.low, outcome.high);
      break;
    case ResultClass::Kind::Null:
      symbol.numbers = NumberSet::only(0);
      break;
    default:
      symbol.numbers = NumberSet::except(0);
  }
  return symbol;
}

void Semantics::copy_memory(FunctionId function, const Action& action, SymbolicState& state) const {
  const std::optional<Datum> to = evaluate(function, action.arguments[0], state);
  const std::optional<Datum> from = evaluate(function, action.arguments[1], state);
  const std::optional<Datum> length = evaluate(function, action.arguments[2], state);
  const std::optional<Slot> target = slot_at(to);
  const std::optional<Slot> source = slot_at(from);
  std::vector<Binding> copied;
  if (target && source && length && length->kind == Datum::Kind::Number &&
      length->number <= kMostCopied) {
    for (const Binding& binding : state.bindings) {
      const std::int64_t at = binding.slot.offset - source->offset;
      if (binding.slot.kind == source->kind && binding.slot.id == source->id && at >= 0 &&
          at < length->number) {
        Binding one = binding;
        one.slot = *target;
        one.slot.offset += at;
        if (target->kind == Slot::Kind::Variable) {
          one.location = VariableId(target->id);
        }
        copied.push_back(one);
      }
    }
    state.erase_if([&](const Binding& binding) {
      const std::int64_t at = binding.slot.offset - target->offset;
      return binding.slot.kind == target->kind && binding.slot.id == target->id && at >= 0 &&
             at < length->number;
    });
  } else if (to && to->id != kNowhere && to->kind != Datum::Kind::Number) {
    erase_pointee(*to, state);
  }
  for (const Binding& binding : copied) {
    state.bind(binding.slot, binding.datum, binding.location);
  }
}

bool Semantics::is_copy(const Point& call) const {
  const std::string_view name = program_.text(call.callee);
  return name == "memcpy" || name == "memmove";
}

void Semantics::call_outside(FunctionId function, std::uint32_t point, const Action& action,
                             SymbolicState& state) {
  const Point& call = program_.functions[function].points[point];
  const ExternalFunction* known = index_.external(call);
  if (is_copy(call) && action.arguments.size() >= 3) {
    copy_memory(function, action, state);
  } else {
    for (std::size_t i = 0; i < action.arguments.size(); ++i) {
      const std::optional<Datum> datum = evaluate(function, action.arguments[i], state);
      if (!datum || datum->kind == Datum::Kind::Number || datum->id == kNowhere) {
        continue;
      }
      switch (index_.use_of(call, i)) {
        case ArgumentUse::Value:
        case ArgumentUse::Reads:
        case ArgumentUse::Uses:
          break;
        case ArgumentUse::Initialises:
          erase_pointee(*datum, state, true);  // an object that may be a part of another
          break;
        case ArgumentUse::Grows:
          if (const std::optional<Slot> slot = slot_at(datum);
              slot && state.find(*slot) != nullptr &&
              holds_handle(state.find(*slot)->datum, state)) {
            break;  // what is made of it takes its place
          }
          erase_pointee(*datum, state);
          break;
        default:
          erase_pointee(*datum, state);
      }
    }
  }
  const bool makes = state.phase == Phase::Chosen;
  std::optional<std::size_t> out;  // it is made where an argument points to
  for (std::size_t i = 0; known != nullptr && i < action.arguments.size(); ++i) {
    if (known->use_of(i) == ArgumentUse::Makes || known->use_of(i) == ArgumentUse::Grows) {
      out = out.value_or(i);
    }
  }
  if (makes) {
    state.phase = Phase::Alive;
  }
  if (makes && out) {
    Symbol symbol = made(known);
    if (known->family != "descriptor") {
      symbol.numbers = NumberSet::except(0);
    }
    const std::optional<Datum> address = evaluate(function, action.arguments[*out], state);
    const Datum datum = Datum::of_symbol(state.add_symbol(symbol));
    if (const std::optional<Slot> slot = slot_at(address)) {
      state.bind(*slot, datum,
                 address->kind == Datum::Kind::Address ? VariableId(address->id) : VariableId());
    } else {
      state.symbols[datum.id].is_handle = false;  // nobody could follow it
      state.phase = Phase::Waiting;
    }
  }
  if (!action.result.valid()) {
    return;
  }
  const Slot slot = register_slot(action.result);
  if (makes && !out) {
    state.bind(slot, Datum::of_symbol(state.add_symbol(made(known))), {});
    return;
  }
  if (known == nullptr) {
    if (relevance_->is_tested(action.result)) {
      state.bind(slot, Datum::of_symbol(state.add_symbol({})), {});
    } else {
      state.erase(slot);
    }
    return;
  }
  if (known->success.kind == ResultClass::Kind::Argument &&
      known->success.argument < action.arguments.size() &&
      known->failure.kind == ResultClass::Kind::None) {
    if (const std::optional<Datum> same =
            evaluate(function, action.arguments[known->success.argument], state)) {
      state.bind(slot, *same, {});
    } else {
      state.erase(slot);
    }
    return;
  }
  Symbol symbol;
  symbol.numbers = makes && out ? NumberSet::all() : results_of(*known);
  if (makes && out && known->success.kind == ResultClass::Kind::Range) {
    symbol.numbers = NumberSet::range(known->success.low, known->success.high);
  }
  symbol.is_object = known->fresh && !out;
  state.bind(slot, Datum::of_symbol(state.add_symbol(symbol)), {});
}

// ---- steps -------------------------------------------------------------------------------------

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
      symbol.is_handle = true;
      symbol.numbers = NumberSet::except(0);
      state.phase = Phase::Alive;
    }
    state.bind({Slot::Kind::Parameter, i, 0}, Datum::of_symbol(state.add_symbol(symbol)), {});
  }
  state.entry_symbols = static_cast<std::uint32_t>(state.symbols.size());
  return state;
}

void Semantics::step(FunctionId function, std::uint32_t point, const SymbolicState& before,
                     std::vector<SymbolicState>& after) {
  const Function& in = program_.functions[function];
  const Action* action = in.action_of(point);
  if (action == nullptr) {
    SymbolicState state = before;
    for (const Fact& fact : in.points[point].facts) {
      if (fact.kind == FactKind::Scope) {
        state.erase_if([&](const Binding& binding) {
          return binding.slot.kind == Slot::Kind::Variable &&
                 binding.slot.id == fact.variable.value();
        });
        if (state.phase == Phase::Chosen) {
          make_undefined({Datum::Kind::Address, false, fact.variable.value(), 0}, fact.variable,
                         state);
        }
      }
    }
    after.push_back(std::move(state));
    return;
  }
  SymbolicState state = before;
  switch (action->kind) {
    case Action::Kind::Read:
      read(function, point, *action, state);
      break;
    case Action::Kind::Write:
      write(function, point, *action, before, after);
      return;
    case Action::Kind::Choose:
      if (const std::optional<Datum> datum = evaluate(function, action->value, state)) {
        state.bind(register_slot(action->result), *datum, {});
      } else {
        state.erase(register_slot(action->result));
      }
      break;
    case Action::Kind::Assume: {
      SymbolicState taken = before;
      bool is_possible = true;
      if (action->is_else) {
        for (const std::int64_t other : action->others) {
          is_possible = is_possible &&
                        assume(function, action->value, Relation::NotEqual, other, false, taken);
        }
      } else {
        is_possible =
            assume(function, action->value, action->relation, action->number, false, taken);
      }
      if (!is_possible) {
        return;
      }
      // What decides nothing that matters is not kept.
      if (relevance_->is_relevant(point) || state.phase == Phase::Chosen) {
        state = std::move(taken);
      }
      if (state.phase == Phase::Chosen) {
        choose_tested(function, action->value, state);
      }
      break;
    }
    case Action::Kind::Call:
      call_outside(function, point, *action, state);
      break;
    case Action::Kind::Return:
      if (const std::optional<Datum> datum = evaluate(function, action->value, state)) {
        state.bind({Slot::Kind::Result, 0, 0}, *datum, {});
      }
      break;
  }
  after.push_back(std::move(state));
}

void Semantics::forget(FunctionId function, std::uint32_t point, SymbolicState& state) {
  const Relevance& relevance = *relevance_;
  const std::optional<std::uint32_t> handle = state.handle();
  const auto leads = [&](const Datum& datum) {
    return handle && datum.kind != Datum::Kind::Number &&
           (datum.is_symbol(*handle) || state.reachable_symbols({datum})[*handle] != 0);
  };
  std::size_t tracked = 0;
  const auto is_wanted = [&](const Binding& binding) {
    return relevance.is_live(point, binding.location);
  };
  std::vector<std::uint8_t> is_kept(state.bindings.size(), 0);
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
            is_wanted(binding) || leads(binding.datum) ||
            (entry_->find(binding.slot) != nullptr && !is_own(function, binding.slot) &&
             (binding.slot.kind == Slot::Kind::Variable || binding.slot.id < state.entry_symbols));
        break;
    }
    if (keep && binding.slot.kind != Slot::Kind::Register && !leads(binding.datum) &&
        ++tracked > kMostTracked) {
      keep = false;
    }
    is_kept[i] = keep ? 1 : 0;
  }
  std::size_t next = 0;
  state.erase_if([&](const Binding&) { return is_kept[next++] == 0; });
  state.cut(kDeepestNames);
  // What was found out about a value that nothing here holds any more is of no use here.
  std::vector<std::uint8_t> is_met(state.entry_symbols, 0);
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
  state.normalise();
}

bool Semantics::is_own(FunctionId function, const Slot& slot) const {
  return slot.kind == Slot::Kind::Variable &&
         program_.variables[VariableId(slot.id)].kind == VariableKind::Local &&
         program_.variables[VariableId(slot.id)].owner == function;
}

void Semantics::forget_locals(FunctionId function, SymbolicState& state) const {
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
  state.normalise();
}

// ---- calls -------------------------------------------------------------------------------------

bool Semantics::is_origin(FunctionId function, std::uint32_t point, bool is_outermost) const {
  if (!tracking_.origin) {
    return false;
  }
  if (is_outermost) {
    return tracking_.origin->function == function && tracking_.origin->point == point &&
           point != Function::kEntry;
  }
  if (tracking_.makers == nullptr) {
    return false;
  }
  const auto found = tracking_.makers->find(function);
  return found != tracking_.makers->end() && found->second.count(point) != 0;
}

bool Semantics::matters(FunctionId function, std::uint32_t point, FunctionId target,
                        const SymbolicState& before, bool is_outermost) const {
  const Action* action = program_.functions[function].action_of(point);
  if (action == nullptr) {
    return false;
  }
  if (before.phase == Phase::Chosen || before.phase == Phase::Waiting) {
    return is_origin(function, point, is_outermost) && tracking_.makers != nullptr &&
           tracking_.makers->count(target) != 0 && before.phase == Phase::Chosen;
  }
  if (before.phase != Phase::Alive || program_.functions[function].points[point].is_alternative) {
    return false;  // which of the targets it is decides what becomes of the handle
  }
  if (std::any_of(before.bindings.begin(), before.bindings.end(), [&](const Binding& binding) {
        return binding.slot.kind == Slot::Kind::Variable &&
               program_.variables[VariableId(binding.slot.id)].kind == VariableKind::Global &&
               leads_to_handle(binding.datum, before) && index_.may_touch(target, binding.location);
      })) {
    return true;
  }
  return std::any_of(action->arguments.begin(), action->arguments.end(), [&](ValueId argument) {
    return leads_to_handle(evaluate(function, argument, before), before);
  });
}

HandleSeeds Semantics::seeds_of_root(FunctionId root) const {
  HandleSeeds seeds;
  const HandleOrigin& origin = *tracking_.origin;
  if (origin.point == Function::kEntry) {
    seeds.parameters.insert(origin.parameter);
    return seeds;
  }
  const Function& in = program_.functions[root];
  seeds.points.insert(origin.point);
  const Action* action = in.action_of(origin.point);
  const VariableId location = location_of(in.points[origin.point]);
  const bool is_call = action != nullptr && action->kind == Action::Kind::Call;
  if (!is_call && location.valid()) {
    seeds.locations.insert(location);
  }
  if (is_call) {
    // It may be made where an argument points to.
    for (const ValueId argument : action->arguments) {
      for (ValueId at = argument; at.valid(); at = in.values[at].left) {
        if (in.values[at].kind == Value::Kind::Address && in.values[at].variable.valid()) {
          seeds.locations.insert(in.values[at].variable);
        }
      }
    }
  }
  return seeds;
}

HandleSeeds Semantics::seeds_of_call(FunctionId function, std::uint32_t point, FunctionId target,
                                     const SymbolicState& before) {
  HandleSeeds seeds;
  seeds.decides_caller = true;
  const Action& action = *program_.functions[function].action_of(point);
  for (std::uint32_t i = 0; i < action.arguments.size(); ++i) {
    if (leads_to_handle(evaluate(function, action.arguments[i], before), before)) {
      seeds.parameters.insert(i);
    }
  }
  for (const Binding& binding : before.bindings) {
    if (binding.slot.kind == Slot::Kind::Variable && leads_to_handle(binding.datum, before) &&
        program_.variables[VariableId(binding.slot.id)].kind == VariableKind::Global) {
      seeds.locations.insert(binding.location);
    }
  }
  if (before.phase == Phase::Chosen && tracking_.makers != nullptr) {
    if (const auto found = tracking_.makers->find(target); found != tracking_.makers->end()) {
      seeds.points = found->second;
    }
    for (std::uint32_t i = 0; i < action.arguments.size(); ++i) {
      seeds.parameters.insert(i);  // it may be stored where they lead to
    }
  }
  return seeds;
}

SymbolicState Semantics::enter(FunctionId function, std::uint32_t point, FunctionId target,
                               const SymbolicState& before, std::vector<std::uint32_t>& symbols) {
  const Action& action = *program_.functions[function].action_of(point);
  const Relevance& relevance =
      index_.relevance(target, seeds_of_call(function, point, target, before));
  SymbolicState entry;
  entry.phase = before.phase == Phase::Chosen ? Phase::Waiting : before.phase;
  std::vector<std::uint32_t> number(before.symbols.size(), kNowhere);
  symbols.clear();
  const auto meet = [&](std::uint32_t symbol) {
    if (number[symbol] == kNowhere) {
      number[symbol] = entry.add_symbol(before.symbols[symbol]);
      symbols.push_back(symbol);
    }
    return number[symbol];
  };
  const auto translated = [&](Datum datum) {
    if (datum.kind == Datum::Kind::Symbol) {
      datum.id = meet(datum.id);
    }
    return datum;
  };
  std::vector<Datum> passed;
  for (std::uint32_t i = 0; i < action.arguments.size(); ++i) {
    const std::optional<Datum> datum = evaluate(function, action.arguments[i], before);
    if (!datum) {
      continue;
    }
    const bool is_followed = datum->kind == Datum::Kind::Address ||
                             leads_to_handle(datum, before) ||
                             (before.phase == Phase::Chosen && datum->kind == Datum::Kind::Symbol);
    if (!is_followed && !relevance.is_tested_parameter(i)) {
      continue;
    }
    entry.bind({Slot::Kind::Parameter, i, 0}, translated(*datum), {});
    passed.push_back(*datum);
  }
  // What the callee can find: through its arguments, and globals that it touches.
  for (const Binding& binding : before.bindings) {
    if (binding.slot.kind == Slot::Kind::Variable &&
        program_.variables[VariableId(binding.slot.id)].kind == VariableKind::Global &&
        index_.may_touch(target, binding.location)) {
      passed.push_back(binding.datum);
    }
  }
  const std::vector<std::uint8_t> reached = before.reachable_symbols(passed);
  std::set<std::uint32_t> addressed;
  for (std::vector<Datum> work = passed; !work.empty();) {
    const Datum datum = work.back();
    work.pop_back();
    if (datum.kind == Datum::Kind::Address && datum.id != kNowhere &&
        addressed.insert(datum.id).second) {
      for (const Binding& binding : before.bindings) {
        if (binding.slot.kind == Slot::Kind::Variable && binding.slot.id == datum.id) {
          work.push_back(binding.datum);
        }
      }
    }
  }
  for (const Binding& binding : before.bindings) {
    bool is_visible = false;
    if (binding.slot.kind == Slot::Kind::Pointee) {
      is_visible = reached[binding.slot.id] != 0;
    } else if (binding.slot.kind == Slot::Kind::Variable) {
      const Variable& variable = program_.variables[VariableId(binding.slot.id)];
      is_visible = variable.kind == VariableKind::Global
                       ? index_.may_touch(target, binding.location)
                       : addressed.count(binding.slot.id) != 0 && variable.owner != target;
    }
    if (is_visible) {
      Slot slot = binding.slot;
      if (slot.kind == Slot::Kind::Pointee) {
        slot.id = meet(slot.id);
      }
      entry.bind(slot, translated(binding.datum), binding.location);
    }
  }
  entry.entry_symbols = static_cast<std::uint32_t>(entry.symbols.size());
  return entry;
}

SymbolicState Semantics::leave(FunctionId function, std::uint32_t point, FunctionId target,
                               const SymbolicState& before, const SymbolicState& entry,
                               const std::vector<std::uint32_t>& symbols, const SymbolicState& end,
                               bool returns) {
  const Action& action = *program_.functions[function].action_of(point);
  SymbolicState state = before;
  // What the callee saw is as it left it.
  for (const Binding& binding : entry.bindings) {
    Slot slot = binding.slot;
    if (slot.kind == Slot::Kind::Parameter) {
      continue;
    }
    if (slot.kind == Slot::Kind::Pointee) {
      slot.id = symbols[slot.id];
    }
    state.erase(slot);
  }
  state.erase_if([&](const Binding& binding) {
    return binding.slot.kind == Slot::Kind::Variable &&
           program_.variables[VariableId(binding.slot.id)].kind == VariableKind::Global &&
           index_.may_touch(target, binding.location);
  });
  std::vector<std::uint32_t> number(end.symbols.size(), kNowhere);
  for (std::uint32_t i = 0; i < end.symbols.size(); ++i) {
    if (i < symbols.size()) {
      number[i] = symbols[i];
      state.symbols[symbols[i]] = end.symbols[i];
    } else {
      number[i] = state.add_symbol(end.symbols[i]);
    }
  }
  const auto translated = [&](Datum datum) {
    if (datum.kind == Datum::Kind::Symbol) {
      datum.id = number[datum.id];
    }
    return datum;
  };
  for (const Binding& binding : end.bindings) {
    Slot slot = binding.slot;
    if (slot.kind == Slot::Kind::Result) {
      continue;
    }
    if (slot.kind == Slot::Kind::Pointee) {
      slot.id = number[slot.id];
    }
    state.bind(slot, translated(binding.datum), binding.location);
  }
  if (action.result.valid()) {
    const Binding* result = end.find({Slot::Kind::Result, 0, 0});
    if (returns && result != nullptr) {
      state.bind(register_slot(action.result), translated(result->datum), {});
    } else {
      state.erase(register_slot(action.result));
    }
  }
  state.phase = end.phase;
  return state;
}

void Semantics::step_over(FunctionId function, std::uint32_t point, FunctionId target,
                          SymbolicState& state) {
  const Action* action = program_.functions[function].action_of(point);
  if (action == nullptr) {
    return;  // calls back, nothing is known of the arguments
  }
  std::vector<Datum> passed;
  for (const ValueId argument : action->arguments) {
    if (const std::optional<Datum> datum = evaluate(function, argument, state)) {
      passed.push_back(*datum);
    }
  }
  const std::vector<std::uint8_t> reached = state.reachable_symbols(passed);
  const std::optional<std::uint32_t> handle = state.handle();
  state.erase_if([&](const Binding& binding) {
    if (binding.slot.kind == Slot::Kind::Pointee) {
      return (reached[binding.slot.id] != 0 ||
              (binding.location.valid() && index_.may_touch(target, binding.location))) &&
             !(handle && binding.datum.is_symbol(*handle) && reached[binding.slot.id] == 0);
    }
    if (binding.slot.kind != Slot::Kind::Variable) {
      return false;
    }
    const Variable& variable = program_.variables[VariableId(binding.slot.id)];
    if (variable.kind == VariableKind::Global) {
      return index_.may_touch(target, binding.location);
    }
    return std::any_of(passed.begin(), passed.end(), [&](const Datum& datum) {
      return datum.kind == Datum::Kind::Address && datum.id == binding.slot.id;
    });
  });
  if (state.phase == Phase::Chosen && action->result.valid()) {
    // Whatever the function gives.
    state.phase = Phase::Alive;
    Symbol symbol;
    symbol.is_handle = true;
    symbol.numbers = program_.functions[function].values[action->result].bits == 64
                         ? NumberSet::except(0)
                         : NumberSet::range(0, NumberSet::kHighest);
    state.bind(register_slot(action->result), Datum::of_symbol(state.add_symbol(symbol)), {});
  } else if (action->result.valid()) {
    const NumberSet& results = index_.results_of(target);
    if (relevance_->is_tested(action->result)) {
      Symbol symbol;
      symbol.numbers = results;
      state.bind(register_slot(action->result), Datum::of_symbol(state.add_symbol(symbol)), {});
    } else {
      state.erase(register_slot(action->result));
    }
  }
}

// ---- what happens to the handle
// ------------------------------------------------------------------

Happenings Semantics::happenings(FunctionId function, std::uint32_t point,
                                 const SymbolicState& state, bool is_root) {
  Happenings result;
  result.is_lost = state.phase == Phase::Lost;
  result.escapes = state.phase == Phase::Kept;
  result.is_origin = state.phase == Phase::Chosen;
  const Function& in = program_.functions[function];
  const std::optional<std::uint32_t> handle = state.handle();
  if (!handle) {
    return result;
  }
  const Point& at = in.points[point];
  if (at.kind == PointKind::Return || at.kind == PointKind::Unwind ||
      at.kind == PointKind::Longjmp) {
    result.is_returned = is_root;  // what was only the function's own is gone already
    return result;
  }
  const Action* action = in.action_of(point);
  if (action == nullptr) {
    return result;
  }
  if (action->kind == Action::Kind::Read || action->kind == Action::Kind::Write) {
    const std::optional<Datum> address = evaluate(function, action->address, state);
    result.is_followed = holds_handle(address, state);
    result.is_read = action->kind == Action::Kind::Read && is_undefined(address, state);
    if (action->kind == Action::Kind::Write) {
      const std::optional<Datum> datum = evaluate(function, action->value, state);
      if (leads_to_handle(datum, state)) {
        const std::optional<Slot> slot = slot_at(address);
        const bool is_tracked =
            slot && (slot->kind == Slot::Kind::Variable || slot->id < state.entry_symbols ||
                     state.symbols[slot->id].is_object);
        result.escapes = !is_tracked;
      }
    }
    return result;
  }
  if (action->kind != Action::Kind::Call) {
    return result;
  }
  for (std::size_t i = 0; i < action->arguments.size(); ++i) {
    const std::optional<Datum> datum = evaluate(function, action->arguments[i], state);
    if (!leads_to_handle(datum, state)) {
      continue;
    }
    const bool is_handle = holds_handle(datum, state);
    result.is_read |= at.targets.empty() && index_.use_of(at, i) == ArgumentUse::Reads &&
                      is_undefined(datum, state);
    if (is_handle && datum->number == 0 && !datum->is_inside && i < 32) {
      result.arguments |= std::uint32_t{1} << i;
    }
    if (at.is_alternative) {
      result.arguments = 0;
      result.escapes = true;
      continue;
    }
    if (!at.targets.empty()) {
      // One of any number of arguments has no name in the callee.
      result.escapes |= i >= program_.functions[at.targets.front()].parameters.size();
      continue;
    }
    if (i == 1 && !is_handle && action->arguments.size() >= 3 && is_copy(at)) {
      // A structure that holds it is copied to where that is not followed.
      const std::optional<Slot> to = slot_at(evaluate(function, action->arguments[0], state));
      result.escapes |= !to || (to->kind == Slot::Kind::Pointee && to->id >= state.entry_symbols &&
                                !state.symbols[to->id].is_object);
    }
    switch (index_.use_of(at, i)) {
      case ArgumentUse::Unknown:
      case ArgumentUse::Keeps:
      case ArgumentUse::CallsLater:
      case ArgumentUse::Starts:
        result.escapes = true;
        break;
      case ArgumentUse::Reads:
      case ArgumentUse::Writes:
      case ArgumentUse::ReadsWrites:
      case ArgumentUse::Grows:
        result.is_followed |= is_handle;
        result.is_passed |= is_handle;
        break;
      case ArgumentUse::Uses:
        result.is_passed |= is_handle;
        break;
      default:
        break;
    }
  }
  return result;
}

}  // namespace nestor::program
