#include "smv/terms/term.h"

#include <algorithm>

namespace nestor::smv {

namespace {

Outcome number(std::int64_t value) {
  if (value > kLargestNumber || value < -kLargestNumber) {
    return {0, Failure::Overflow};
  }
  return {value};
}

Outcome truth(bool value) {
  return {value ? 1 : 0};
}

bool unsigned_words(Type type) {
  return type.kind == Type::Kind::Word && !type.is_signed;
}

bool less(Type type, std::int64_t a, std::int64_t b) {
  return unsigned_words(type) ? static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b)
                              : a < b;
}

Outcome divide(Op op, Type type, std::int64_t a, std::int64_t b) {
  if (b == 0) {
    return {0, Failure::DivisionByZero};
  }
  if (unsigned_words(type)) {
    const auto x = static_cast<std::uint64_t>(a);
    const auto y = static_cast<std::uint64_t>(b);
    return {static_cast<std::int64_t>(op == Op::Divide ? x / y : x % y)};
  }
  if (b == -1) {  // the smallest word has no opposite; its quotient wraps around
    const auto opposite =
        static_cast<std::int64_t>(std::uint64_t{0} - static_cast<std::uint64_t>(a));
    return {op == Op::Divide ? opposite : 0};
  }
  return {op == Op::Divide ? a / b : a % b};
}

Outcome arithmetic(Op op, Type type, std::int64_t a, std::int64_t b) {
  if (op == Op::Divide || op == Op::Mod) {
    const Outcome quotient = divide(op, type, a, b);
    return type.kind == Type::Kind::Word && quotient.failure == Failure::None
               ? Outcome{extended(quotient.value, type)}
               : quotient;
  }
  std::int64_t result = 0;
  bool overflow = false;
  switch (op) {
    case Op::Plus:
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case Op::Minus:
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case Op::Times:
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    default:  // Negate
      overflow = __builtin_sub_overflow(std::int64_t{0}, a, &result);
      break;
  }
  if (type.kind == Type::Kind::Word) {  // arithmetic of words wraps around, overflow or not
    return {extended(result, type)};
  }
  return overflow ? Outcome{0, Failure::Overflow} : number(result);
}

Outcome shift(Op op, Type type, std::int64_t a, std::int64_t b) {
  if (b < 0 || b > type.width) {
    return {0, Failure::IndexOutOfBounds};
  }
  const auto bits = static_cast<std::uint64_t>(a);
  if (op == Op::ShiftLeft) {
    return {b == 64 ? 0 : extended(static_cast<std::int64_t>(bits << b), type)};
  }
  if (type.is_signed) {
    return {a >> std::min<std::int64_t>(b, 63)};
  }
  return {b == 64 ? 0 : static_cast<std::int64_t>(bits >> b)};
}

/// EXIT where a truth value is needed, EXIT or a symbol where a number is.
Failure unfit(Op op, Type operand, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Op::Not:
      return is_exit(a, operand) ? Failure::IsExit : Failure::None;
    case Op::And:
    case Op::Or:
      return is_exit(a, operand) || is_exit(b, operand) ? Failure::IsExit : Failure::None;
    case Op::Equal:
    case Op::NotEqual:
      return Failure::None;
    default:
      return operand.kind != Type::Kind::Word && (a >= kExit || b >= kExit) ? Failure::NoNumber
                                                                            : Failure::None;
  }
}

}  // namespace

Outcome apply(Op op, Type type, Type operand, std::int64_t a, std::int64_t b, std::int64_t extra) {
  if (const Failure failure = unfit(op, operand, a, b); failure != Failure::None) {
    return {0, failure};
  }
  switch (op) {
    case Op::Not:
      return truth(a == 0);
    case Op::And:
      return truth(a != 0 && b != 0);
    case Op::Or:
      return truth(a != 0 || b != 0);
    case Op::Equal:
      return truth(a == b);
    case Op::NotEqual:
      return truth(a != b);
    case Op::Less:
      return truth(less(operand, a, b));
    case Op::LessEqual:
      return truth(!less(operand, b, a));
    case Op::Max:
      return {std::max(a, b)};
    case Op::Min:
      return {std::min(a, b)};
    case Op::BitNot:
      return {extended(~a, type)};
    case Op::BitAnd:
      return {a & b};
    case Op::BitOr:
      return {a | b};
    case Op::BitXor:
      return {extended(a ^ b, type)};
    case Op::ShiftLeft:
    case Op::ShiftRight:
      return shift(op, type, a, b);
    case Op::Concat: {  // extra: the width of b
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - extra);
      return {extended(static_cast<std::int64_t>((static_cast<std::uint64_t>(a) << extra) |
                                                 (static_cast<std::uint64_t>(b) & mask)),
                       type)};
    }
    case Op::BitSelect:
      return {extended(static_cast<std::int64_t>(static_cast<std::uint64_t>(a) >> extra), type)};
    case Op::Convert:
      if (type.kind == Type::Kind::Word) {
        return {extended(a, type)};
      }
      return type.kind == Type::Kind::Boolean ? truth(a != 0) : number(a);
    default:
      return arithmetic(op, type, a, b);
  }
}

std::string_view to_string(Failure failure) {
  switch (failure) {
    case Failure::None:
      return "";
    case Failure::DivisionByZero:
      return "division by zero";
    case Failure::Overflow:
      return "the number is too large";
    case Failure::IndexOutOfBounds:
      return "the index is out of bounds";
    case Failure::IsExit:
      return "the value is EXIT, expected a truth value";
    case Failure::NoNumber:
      return "the value is a symbolic constant or EXIT, expected a number";
  }
  return "";
}

/// Constants of neighbouring values, and operations whose last operands are neighbours, get
/// neighbouring slots: a generated model has them one after the other, by the million.
std::size_t TermPool::hash(const Term& term, std::span<const TermId> operands) const {
  constexpr std::uint64_t kNeighbours = 15;
  std::uint64_t last = static_cast<std::uint64_t>(term.value);
  std::uint64_t h = static_cast<std::uint64_t>(term.op) * 0x9E3779B97F4A7C15U;
  const auto mix = [&h](std::uint64_t x) {
    h = (h ^ x) * 0xBF58476D1CE4E5B9U;
    h ^= h >> 29;
  };
  mix((static_cast<std::uint64_t>(term.type.kind) << 16) |
      (static_cast<std::uint64_t>(term.type.width) << 1) | (term.type.is_signed ? 1U : 0U));
  for (const TermId operand : operands) {
    mix(last);
    last = operand.value();
  }
  mix(last & ~kNeighbours);
  return static_cast<std::size_t>((h & ~kNeighbours) | (last & kNeighbours));
}

bool TermPool::equal(TermId t, const Term& term, std::span<const TermId> operands) const {
  const Term& other = terms_[t];
  return other.op == term.op && other.type == term.type && other.value == term.value &&
         std::ranges::equal(this->operands(t), operands);
}

TermId TermPool::intern(const Term& term, std::span<const TermId> operands) {
  if (slots_.size() < 2 * (terms_.size() + 1)) {
    grow();
  }
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash(term, operands) & mask;
  for (; slots_[slot].valid(); slot = (slot + 1) & mask) {
    if (equal(slots_[slot], term, operands)) {
      return slots_[slot];
    }
  }
  Term copy = term;
  copy.first_operand = static_cast<std::uint32_t>(operands_.size());
  copy.operand_count = static_cast<std::uint32_t>(operands.size());
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  return slots_[slot] = terms_.push_back(copy);
}

void TermPool::grow() {
  slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), TermId());
  const std::size_t mask = slots_.size() - 1;
  for (const TermId t : terms_.ids()) {
    std::size_t slot = hash(terms_[t], operands(t)) & mask;
    while (slots_[slot].valid()) {
      slot = (slot + 1) & mask;
    }
    slots_[slot] = t;
  }
}

std::uint32_t TermPool::add_set(std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  set_values_.insert(set_values_.end(), values.begin(), values.end());
  set_begins_.push_back(set_values_.size());
  return static_cast<std::uint32_t>(set_begins_.size() - 2);
}

}  // namespace nestor::smv
