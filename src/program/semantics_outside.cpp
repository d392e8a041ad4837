#include "program/semantics.h"

#include <algorithm>

// Calls of functions of which only the catalogue knows something.

namespace nestor::program {

namespace {

constexpr std::int64_t kMostCopied = 4096;    // of memory that is copied part by part
constexpr std::int64_t kFirstAddress = 4096;  // the first page is nobody's
constexpr std::int64_t kFirstDescriptor = 3;  // after those of the standard streams

using Phase = SymbolicState::Phase;

}  // namespace

NumberSet Semantics::numbers_of(const ResultClass& one) {
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
}

NumberSet Semantics::results_of(const ExternalFunction& known) const {
  if (known.success.kind == ResultClass::Kind::None) {
    return NumberSet::all();
  }
  const NumberSet success = numbers_of(known.success);
  if (known.failure.kind == ResultClass::Kind::None) {
    return success;
  }
  const NumberSet failure = numbers_of(known.failure);
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
      // Constants that stand for no object are smaller, or -1.
      symbol.numbers = NumberSet::range(kFirstAddress, NumberSet::kHighest);
  }
  return symbol;
}

void Semantics::clear_memory(FunctionId function, const Datum& to, std::int64_t length,
                             SymbolicState& state) const {
  const std::optional<Slot> target = slot_at(to);
  if (!target) {
    return;
  }
  for (const ProgramIndex::Field& field : index_.fields_of(function)) {
    const bool is_there = target->kind == Slot::Kind::Variable
                              ? field.base == VariableId(target->id)
                              : !field.base.valid();
    if (is_there && field.offset >= target->offset &&
        field.offset + field.bytes <= target->offset + length) {
      state.bind({target->kind, target->id, field.offset}, Datum::of_number(0), field.location);
    }
  }
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

/// What a call that succeeds gives, if it is a pointer into what the handle leads to: strchr.
std::optional<Datum> Semantics::found_inside(FunctionId function, std::uint32_t point,
                                             const SymbolicState& state) const {
  const Action& action = *program_.functions[function].action_of(point);
  const ExternalFunction* known = index_.external(program_.functions[function].points[point]);
  if (!tracking_.ends_with_release || known == nullptr || !action.result.valid() ||
      known->success.kind != ResultClass::Kind::Inside ||
      known->success.argument >= action.arguments.size()) {
    return std::nullopt;
  }
  std::optional<Datum> datum = evaluate(function, action.arguments[known->success.argument], state);
  if (!holds_handle(datum, state)) {
    return std::nullopt;
  }
  datum->is_inside = true;
  datum->number = 0;
  return datum;
}

/// A call that keeps the handle only if it succeeds, which its result tells: fdopen.
bool Semantics::is_kept_unless_failed(FunctionId function, std::uint32_t point,
                                      const SymbolicState& state) const {
  const Point& call = program_.functions[function].points[point];
  const Action* action = program_.functions[function].action_of(point);
  const ExternalFunction* known = index_.external(call);
  if (!tracking_.ends_with_release || known == nullptr || !action->result.valid() ||
      known->success.kind == ResultClass::Kind::None ||
      known->success.kind == ResultClass::Kind::Argument ||
      known->failure.kind == ResultClass::Kind::None || state.phase != Phase::Alive) {
    return false;
  }
  for (std::size_t i = 0; i < action->arguments.size(); ++i) {
    if (index_.use_of(call, i) == ArgumentUse::Keeps &&
        holds_handle(evaluate(function, action->arguments[i], state), state)) {
      // Who does not look takes it for done.
      const base::StringId ignored = program_.strings.find("ret_ignored");
      return std::find(call.labels.begin(), call.labels.end(), ignored) == call.labels.end();
    }
  }
  return false;
}

void Semantics::call_outside(FunctionId function, std::uint32_t point, const Action& action,
                             SymbolicState& state) {
  const Point& call = program_.functions[function].points[point];
  const ExternalFunction* known = index_.external(call);
  if (known != nullptr) {
    for (const unsigned i : known->nonnull) {
      if (i < action.arguments.size()) {
        follow(function, action.arguments[i], state);
      }
    }
  }
  if (index_.copies_memory(call) && action.arguments.size() >= 3) {
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
        case ArgumentUse::Writes:
        case ArgumentUse::ReadsWrites:
          erase_pointee(*datum, state, true);  // what may be a part of something larger
          break;
        case ArgumentUse::Grows:
          if (const std::optional<Slot> slot = slot_at(datum);
              slot && state.find(*slot) != nullptr &&
              holds_handle(state.find(*slot)->datum, state) &&
              state.symbols[*state.handle()].numbers != NumberSet::only(0)) {
            break;  // what is made of it takes its place
          }
          erase_pointee(*datum, state);
          break;
        case ArgumentUse::Keeps:
        case ArgumentUse::Unknown:
          share(datum, state);
          erase_pointee(*datum, state);
          break;
        default:
          erase_pointee(*datum, state);
      }
    }
  }
  if (program_.text(call.callee) == "memset" && action.arguments.size() >= 3) {
    const std::optional<Datum> to = evaluate(function, action.arguments[0], state);
    const std::optional<Datum> value = evaluate(function, action.arguments[1], state);
    const std::optional<Datum> length = evaluate(function, action.arguments[2], state);
    if (to && value == Datum::of_number(0) && length && length->kind == Datum::Kind::Number) {
      clear_memory(function, *to, length->number, state);
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
  const Slot slot = Slot::of_register(action.result);
  if (makes && tracking_.undefined) {
    Symbol memory;
    memory.numbers = NumberSet::except(0);
    memory.is_object = true;
    const Datum pointer = Datum::of_symbol(state.add_symbol(memory));
    state.bind(slot, pointer, {});
    make_undefined(pointer, {}, state);
    return;
  }
  const bool is_cleared = program_.text(call.callee) == "calloc";
  if (makes && !out) {
    const Datum datum = Datum::of_symbol(state.add_symbol(made(known)));
    state.bind(slot, datum, {});
    if (is_cleared && !tracking_.failure) {
      clear_memory(function, datum, kMostCopied, state);
    }
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
  symbol.numbers = !index_.values().outcomes && !makes ? NumberSet::all()
                   : !(makes && out)
                       ? results_of(*known)
                       : numbers_of(tracking_.failure ? known->failure : known->success);
  symbol.is_object = known->fresh && !out;
  const Datum datum = Datum::of_symbol(state.add_symbol(symbol));
  state.bind(slot, datum, {});
  if (is_cleared) {
    clear_memory(function, datum, kMostCopied, state);
  }
}

}  // namespace nestor::program
