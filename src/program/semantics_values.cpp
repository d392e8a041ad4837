#include "program/semantics.h"

// What terms are worth in a state, and what a branch tells about them.

namespace nestor::program {

namespace {

constexpr std::size_t kLongestTerm = 12;   // of one side of a condition
constexpr std::int64_t kLargestCount = 1;  // numbers that are counted with; others may be anything

bool is_pointer_like(const Datum& datum) {
  return datum.kind != Datum::Kind::Number;
}

using Phase = SymbolicState::Phase;

}  // namespace

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
      return bound(Slot::of_register(value));
    case Value::Kind::Parameter:
      return bound({Slot::Kind::Parameter, static_cast<std::uint32_t>(term.number), 0});
    case Value::Kind::Constant:
      return Datum::of_number(term.number);
    case Value::Kind::Address:
      if (tracking_.address && term.variable == local_ && function == tracking_.origin->function) {
        if (const std::optional<std::uint32_t> handle = state.handle()) {
          return Datum::of_symbol(*handle);
        }
      }
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
    Condition::Term left;
    return !append_term(function, value, state, left) ||
           suppose(relation, is_unsigned, std::move(left), {{false, number}}, state);
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

/// What was made, and has not escaped: what is not known to be it is something else.
bool Semantics::is_secret(const std::optional<Datum>& datum, const SymbolicState& state) const {
  return tracking_.ends_with_release && state.phase == Phase::Alive && holds_handle(datum, state) &&
         datum->number == 0 && !datum->is_inside && state.symbols[datum->id].is_object &&
         !state.symbols[datum->id].numbers.contains(0);
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
  const auto is_consistent = [&] {
    Condition::Term one;
    Condition::Term other;
    return !append_term(function, term.left, state, one) ||
           !append_term(function, term.right, state, other) ||
           suppose(relation, term.is_unsigned, std::move(one), std::move(other), state);
  };
  if (!left || !right) {
    return is_consistent() &&
           !(relation == Relation::Equal && is_secret(left ? left : right, state));
  }
  if (left->is_inside || right->is_inside) {
    return true;
  }
  const bool same_base = left->kind == right->kind && left->id == right->id && left->id != kNowhere;
  if (same_base) {
    return holds(left->number, relation, right->number);
  }
  if (left->kind == Datum::Kind::Address && right->kind == Datum::Kind::Address) {
    return relation != Relation::Equal || left->id == kNowhere || right->id == kNowhere;
  }
  // What was made is not what something else holds, as long as it has not escaped.
  const bool is_secret = tracking_.ends_with_release && state.phase == Phase::Alive;
  // What was made here is at no address that was there before.
  const auto is_new = [&](const Datum& datum) {
    return datum.kind == Datum::Kind::Symbol && state.symbols[datum.id].is_object &&
           !state.symbols[datum.id].numbers.contains(0) &&
           (datum.id >= state.entry_symbols || (is_secret && state.symbols[datum.id].is_handle));
  };
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
  return is_consistent();
}

bool Semantics::append_term(FunctionId function, ValueId value, const SymbolicState& state,
                            Condition::Term& term) const {
  if (!value.valid() || term.size() > kLongestTerm) {
    return false;
  }
  if (const std::optional<Datum> datum = evaluate(function, value, state)) {
    const bool is_known = datum->kind == Datum::Kind::Number ||
                          (datum->kind == Datum::Kind::Symbol && !datum->is_inside);
    if (datum->kind == Datum::Kind::Symbol) {
      term.push_back({true, datum->id});
    }
    term.push_back({false, datum->number});
    return is_known;
  }
  const Value& top = program_.functions[function].values[value];
  switch (top.kind) {
    case Value::Kind::Add:
    case Value::Kind::Subtract:
    case Value::Kind::And:
    case Value::Kind::Or:
    case Value::Kind::ExclusiveOr:
    case Value::Kind::SignExtend:
    case Value::Kind::ZeroExtend:
    case Value::Kind::Truncate:
      break;
    default:
      return false;
  }
  term.push_back({false, static_cast<std::int64_t>(top.kind) * 256 + top.bits});
  return append_term(function, top.left, state, term) &&
         (!top.right.valid() || append_term(function, top.right, state, term));
}

/// Each comparison and its negation, from either side, are one condition.
bool Semantics::suppose(Relation relation, bool is_unsigned, Condition::Term left,
                        Condition::Term right, SymbolicState& state) {
  if (relation == Relation::Greater || relation == Relation::LessEqual) {
    std::swap(left, right);
    relation = swapped(relation);
  }
  Condition condition;
  condition.is_true = relation == Relation::Less || relation == Relation::Equal;
  const bool is_order = relation == Relation::Less || relation == Relation::GreaterEqual;
  if (!is_order && right < left) {
    std::swap(left, right);
  }
  condition.term.push_back({false, is_order ? (is_unsigned ? 2 : 1) : 0});
  condition.term.insert(condition.term.end(), left.begin(), left.end());
  condition.term.push_back({false, 0});
  condition.term.insert(condition.term.end(), right.begin(), right.end());
  return state.suppose(std::move(condition));
}

}  // namespace nestor::program
