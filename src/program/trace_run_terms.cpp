// The terms over unknowns that a path computes with.

#include "program/trace_run.h"

#include <utility>

namespace nestor::program {

namespace {

using Operation = solver::BitVectorSolver::Operation;
using Order = solver::BitVectorSolver::Order;
using solver::BitVectorId;

constexpr int kDeepestTerm = 64;

}  // namespace

void TraceRun::bind(ValueId result, Known known) {
  known.support.insert(now_);
  frame().bound[result] = std::move(known);
}

TraceRun::Known TraceRun::fresh(unsigned bits) {
  Known known;
  known.term = solver_.unknown(bits);
  if (bits == kWidest) {
    known.leads_to = Place{false, pointers_++, 0, 0, 0};
    older_than_.push_back(UINT32_MAX);
  }
  return known;
}

TraceRun::Known TraceRun::named(unsigned bits, VariableId variable, base::StringId function) {
  Known known = fresh(bits);
  known.unknown = static_cast<std::uint32_t>(unknowns_.size());
  unknowns_.push_back({known.term, variable, function, bits == kWidest});
  return known;
}

TraceRun::Known TraceRun::address_of(VariableId variable) {
  Known known;
  if (!variable.valid()) {
    known.term = solver_.unknown(kWidest);
    return known;
  }
  const bool is_local = program_.variables[variable].kind == VariableKind::Local;
  const std::uint32_t number = is_local ? frame().number : 0;
  BitVectorId& term = addresses_[{variable.value(), number}];
  if (!term.valid()) {
    term = solver_.unknown(kWidest);
    solver_.assert_always(
        solver_.negation(compared(Relation::Equal, false, term, solver_.constant(0, kWidest))));
  }
  known.term = term;
  known.leads_to = Place{true, variable.value(), number, 0, 0};
  return known;
}

BitVectorId TraceRun::fitted(const Known& known, unsigned bits) {
  return solver_.bits_of(known.term) == bits ? known.term : solver_.unknown(bits);
}

TraceRun::Known TraceRun::evaluate(ValueId value, Seen& seen, int depth) {
  if (!value.valid()) {
    return fresh(kWidest);
  }
  if (const auto found = seen.find(value); found != seen.end()) {
    return found->second;
  }
  const Value& term = function().values[value];
  const unsigned bits = width_of(term.bits);
  Known known;
  switch (term.kind) {
    case Value::Kind::Bound: {
      const auto found = frame().bound.find(value);
      if (found == frame().bound.end()) {
        bind(value, fresh(bits));  // before the first step that counts
        frame().bound[value].support.clear();
      }
      known = frame().bound[value];
      break;
    }
    case Value::Kind::Parameter: {
      const auto found = frame().parameters.find(term.number);
      if (found == frame().parameters.end()) {
        const std::vector<VariableId>& parameters = function().parameters;
        const auto i = static_cast<std::size_t>(term.number);
        known = named(bits, i < parameters.size() ? parameters[i] : VariableId());
        if (known.leads_to) {
          older_than_[known.leads_to->id] = frame().number;
        }
        frame().parameters.emplace(term.number, known);
      } else {
        known = found->second;
      }
      break;
    }
    case Value::Kind::Constant:
      known.term = solver_.constant(term.number, bits);
      break;
    case Value::Kind::Address:
      known = address_of(term.variable);
      break;
    default:
      known = depth > kDeepestTerm ? fresh(bits) : combined(term, seen, depth + 1);
      break;
  }
  if (solver_.bits_of(known.term) != bits) {
    known.term = solver_.unknown(bits);
    known.leads_to.reset();
  }
  seen.emplace(value, known);
  return known;
}

TraceRun::Known TraceRun::combined(const Value& term, Seen& seen, int depth) {
  const unsigned bits = width_of(term.bits);
  if (!term.left.valid()) {
    return fresh(bits);
  }
  const Known left = evaluate(term.left, seen, depth);
  Known known;
  known.support = left.support;
  const auto right_of = [&](unsigned width) {
    const Known right = evaluate(term.right, seen, depth);
    known.support.unite(right.support);
    return fitted(right, width);
  };
  switch (term.kind) {
    case Value::Kind::Step:
      known.leads_to = left.leads_to;
      known.is_inside = left.is_inside;
      if (known.leads_to) {
        known.leads_to->offset += term.number;
      }
      known.term = solver_.apply(Operation::Add, fitted(left, kWidest),
                                 solver_.constant(term.number, kWidest));
      break;
    case Value::Kind::Inside:
      known.leads_to = left.leads_to;
      known.is_inside = true;
      known.term = solver_.unknown(kWidest);
      break;
    case Value::Kind::Compare:
      known.term = compared(term.relation, term.is_unsigned, left.term,
                            right_of(solver_.bits_of(left.term)));
      break;
    case Value::Kind::Add:
      known.term = solver_.apply(Operation::Add, fitted(left, bits), right_of(bits));
      break;
    case Value::Kind::Subtract:
      known.term = solver_.apply(Operation::Subtract, fitted(left, bits), right_of(bits));
      break;
    case Value::Kind::And:
      known.term = solver_.apply(Operation::And, fitted(left, bits), right_of(bits));
      break;
    case Value::Kind::Or:
      known.term = solver_.apply(Operation::Or, fitted(left, bits), right_of(bits));
      break;
    case Value::Kind::ExclusiveOr:
      known.term = solver_.apply(Operation::ExclusiveOr, fitted(left, bits), right_of(bits));
      break;
    case Value::Kind::SignExtend:
    case Value::Kind::ZeroExtend: {
      const unsigned narrow = solver_.bits_of(left.term);
      known.term = narrow < bits
                       ? solver_.extend(left.term, bits, term.kind == Value::Kind::SignExtend)
                       : fitted(left, bits);
      break;
    }
    case Value::Kind::Truncate:
      known.term = solver_.bits_of(left.term) > bits ? solver_.truncate(left.term, bits)
                                                     : fitted(left, bits);
      break;
    default:
      return fresh(bits);
  }
  return known;
}

BitVectorId TraceRun::compared(Relation relation, bool is_unsigned, BitVectorId left,
                               BitVectorId right) {
  switch (relation) {
    case Relation::Equal:
      return solver_.compare(Order::Equal, is_unsigned, left, right);
    case Relation::NotEqual:
      return solver_.negation(solver_.compare(Order::Equal, is_unsigned, left, right));
    case Relation::Less:
      return solver_.compare(Order::Less, is_unsigned, left, right);
    case Relation::LessEqual:
      return solver_.compare(Order::LessEqual, is_unsigned, left, right);
    case Relation::Greater:
      return solver_.compare(Order::Less, is_unsigned, right, left);
    case Relation::GreaterEqual:
      break;
  }
  return solver_.compare(Order::LessEqual, is_unsigned, right, left);
}

BitVectorId TraceRun::is_in(const ResultClass& one, BitVectorId term) {
  const BitVectorId zero = solver_.constant(0, kWidest);
  switch (one.kind) {
    case ResultClass::Kind::Range: {
      const BitVectorId below =
          compared(Relation::Less, false, term, solver_.constant(one.low, kWidest));
      const BitVectorId above =
          compared(Relation::Greater, false, term, solver_.constant(one.high, kWidest));
      return solver_.negation(solver_.either(below, above));
    }
    case ResultClass::Kind::Null:
      return compared(Relation::Equal, false, term, zero);
    case ResultClass::Kind::NonZero:
    case ResultClass::Kind::NonNull:
    case ResultClass::Kind::Inside:
      return compared(Relation::NotEqual, false, term, zero);
    default:
      return solver_.constant(1, 1);
  }
}

void TraceRun::restrict_to(const ResultClass& one, const ResultClass* other, BitVectorId term) {
  if (solver_.bits_of(term) == 1) {
    return;
  }
  const BitVectorId wide =
      solver_.bits_of(term) == kWidest ? term : solver_.extend(term, kWidest, true);
  BitVectorId condition = is_in(one, wide);
  if (other != nullptr && other->kind != ResultClass::Kind::None) {
    condition = solver_.either(condition, is_in(*other, wide));
  }
  solver_.assert_always(condition);
}

}  // namespace nestor::program
