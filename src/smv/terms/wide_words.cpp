#include "smv/terms/wide_words.h"

#include "smv/terms/term.h"

namespace nestor::smv {

std::int64_t WideWords::number_of(const WideWord& word) {
  const auto [place, is_new] = numbers_.try_emplace(word, static_cast<std::int64_t>(words_.size()));
  if (is_new) {
    words_.push_back(place);
  }
  return place->second;
}

bool is_wide_operation(Op op, Type type, Type operand, std::int64_t extra) {
  if (op == Op::Equal || op == Op::NotEqual) {
    return false;
  }
  const bool is_shift = op == Op::ShiftLeft || op == Op::ShiftRight;
  return is_wide(type) || is_wide(operand) || (is_shift && extra != 0);
}

namespace {

/// The bits of a word of the type, at least so many, extended as the type says.
WideWord load(const WideWords& words, Type type, std::int64_t value) {
  return is_wide(type) ? words[value] : WideWord(type.width, value, type.is_signed);
}

Outcome store(WideWords& words, Type type, const WideWord& word) {
  if (is_wide(type)) {
    return {words.number_of(word)};
  }
  return {extended(static_cast<std::int64_t>(word.limbs()[0]), type)};
}

Outcome shift(WideWords& words, Op op, Type type, std::int64_t a, std::int64_t b,
              std::int64_t extra) {
  // `extra` is the width of an amount that is a wide word, which is never negative.
  const std::int64_t amount = extra == 0 ? b : words[b].number(false).value_or(-1);
  if (amount < 0 || amount > type.width) {
    return {0, Failure::IndexOutOfBounds};
  }
  const WideWord left = load(words, type, a);
  const auto by = static_cast<std::size_t>(amount);
  return store(
      words, type,
      op == Op::ShiftLeft ? left.shifted_left(by) : left.shifted_right(by, type.is_signed));
}

Outcome convert(WideWords& words, Type type, Type operand, std::int64_t a) {
  if (type.kind == Type::Kind::Word) {
    return store(words, type, load(words, operand, a).resized(type.width, operand.is_signed));
  }
  const std::optional<std::int64_t> number = words[a].number(operand.is_signed);
  if (!number || *number > kLargestNumber || *number < -kLargestNumber) {
    return {0, Failure::Overflow};
  }
  return {*number};
}

}  // namespace

Outcome apply_wide(WideWords& words, Op op, Type type, Type operand, std::int64_t a, std::int64_t b,
                   std::int64_t extra) {
  switch (op) {
    case Op::ShiftLeft:
    case Op::ShiftRight:
      return shift(words, op, type, a, b, extra);
    case Op::Convert:
      return convert(words, type, operand, a);
    case Op::BitSelect:
      return store(words, type, words[a].slice(static_cast<std::size_t>(extra), type.width));
    case Op::Concat: {
      const Type right{Type::Kind::Word, false, static_cast<std::uint16_t>(extra)};
      return store(words, type, load(words, operand, a).concatenated(load(words, right, b)));
    }
    case Op::Negate:
      return store(words, type, -words[a]);
    case Op::BitNot:
      return store(words, type, ~words[a]);
    default:
      break;
  }
  const WideWord& left = words[a];
  const WideWord& right = words[b];
  switch (op) {
    case Op::Less:
      return {left.less(right, operand.is_signed) ? 1 : 0};
    case Op::LessEqual:
      return {right.less(left, operand.is_signed) ? 0 : 1};
    case Op::Plus:
      return store(words, type, left + right);
    case Op::Minus:
      return store(words, type, left - right);
    case Op::Times:
      return store(words, type, left * right);
    case Op::BitAnd:
      return store(words, type, left & right);
    case Op::BitOr:
      return store(words, type, left | right);
    case Op::BitXor:
      return store(words, type, left ^ right);
    default:  // Divide, Mod
      if (right.is_zero()) {
        return {0, Failure::DivisionByZero};
      }
      const WideWord::Division division = left.divided(right, type.is_signed);
      return store(words, type, op == Op::Divide ? division.quotient : division.remainder);
  }
}

}  // namespace nestor::smv
