#include "smv/terms/term_builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::smv {

namespace {

std::string_view text_of(Syntax kind) {
  switch (kind) {
    case Syntax::Not:
      return "!";
    case Syntax::Negate:
      return "-";
    case Syntax::And:
      return "&";
    case Syntax::Or:
      return "|";
    case Syntax::Xor:
      return "xor";
    case Syntax::Xnor:
      return "xnor";
    case Syntax::Implies:
      return "->";
    case Syntax::Iff:
      return "<->";
    case Syntax::Equal:
      return "=";
    case Syntax::NotEqual:
      return "!=";
    case Syntax::Less:
      return "<";
    case Syntax::LessEqual:
      return "<=";
    case Syntax::Greater:
      return ">";
    case Syntax::GreaterEqual:
      return ">=";
    case Syntax::Plus:
      return "+";
    case Syntax::Minus:
      return "-";
    case Syntax::Times:
      return "*";
    case Syntax::Divide:
      return "/";
    case Syntax::Mod:
      return "mod";
    case Syntax::ShiftLeft:
      return "<<";
    case Syntax::ShiftRight:
      return ">>";
    case Syntax::Concat:
      return "::";
    default:
      return "operator";
  }
}

constexpr int kDeepestCase = 50;  // of numbers that are taken for truth values

Op arithmetic_op(Syntax kind) {
  switch (kind) {
    case Syntax::Plus:
      return Op::Plus;
    case Syntax::Minus:
      return Op::Minus;
    case Syntax::Times:
      return Op::Times;
    case Syntax::Divide:
      return Op::Divide;
    default:
      return Op::Mod;
  }
}

}  // namespace

void TermBuilder::fail(const std::string& message, Place at, base::Error::Kind kind) const {
  throw base::Error(kind, message, input_.locate(at));
}

TermId TermBuilder::make(Op op, Type type, const std::vector<TermId>& operands, Place at,
                         std::int64_t value, bool reads_input) {
  Term term;
  term.op = op;
  term.type = type;
  term.value = value;
  term.at = at;
  term.several = op == Op::Union || op == Op::ConstantSet;
  term.can_fail = op == Op::Divide || op == Op::Mod || op == Op::Select || op == Op::ShiftLeft ||
                  op == Op::ShiftRight || op == Op::Case || op == Op::Convert ||
                  (with_exit_ && (op == Op::Variable || op == Op::Next)) ||
                  ((op == Op::Plus || op == Op::Minus || op == Op::Times || op == Op::Negate) &&
                   type.kind == Type::Kind::Number);
  term.reads_next = op == Op::Next;
  term.reads_input = reads_input;
  bool constants = !operands.empty();
  for (const TermId operand : operands) {
    const Term& t = terms_[operand];
    term.several |= t.several;
    term.can_fail |= t.can_fail;
    term.reads_next |= t.reads_next;
    term.reads_input |= t.reads_input;
    constants &= t.op == Op::Constant;
  }
  if (constants && operands.size() <= 2 && op != Op::Case && op != Op::Union && op != Op::Select &&
      op != Op::InSet && op != Op::Count) {
    const Term& first = terms_[operands.front()];
    const Term& last = terms_[operands.back()];
    const Outcome outcome =
        is_wide_operation(op, type, first.type, value)
            ? apply_wide(symbols_.wide(), op, type, first.type, first.value, last.value, value)
            : apply(op, type, first.type, first.value, last.value, value);
    if (outcome.failure == Failure::None) {
      return constant(outcome.value, type, at);
    }
  }
  return terms_.intern(term, operands);
}

TermId TermBuilder::constant(std::int64_t value, Type type, Place at) {
  if (type == kSymbolic && is_symbol(value)) {
    const auto index = static_cast<std::size_t>(value - kFirstSymbol);
    symbol_terms_.resize(std::max(symbol_terms_.size(), index + 1));
    TermId& known = symbol_terms_[index];
    return known = known.valid() ? known : new_constant(value, type, at);
  }
  return new_constant(value, type, at);
}

TermId TermBuilder::new_constant(std::int64_t value, Type type, Place at) {
  Term term;
  term.type = type;
  term.value = value;
  term.at = at;
  return terms_.intern(term, {});
}

TermId TermBuilder::variable(Op op, VariableId variable, Type type, bool is_input, Place at) {
  return make(op, type, {}, at, variable.value(), is_input);
}

TermId TermBuilder::running(std::size_t process, Place at) {
  return make(Op::Running, kBoolean, {}, at, static_cast<std::int64_t>(process), true);
}

void TermBuilder::expect_single(TermId t, std::string_view what, Place at) const {
  if (terms_[t].several) {
    fail(fmt::format("{} has a set of values, expected a single value", what), at);
  }
}

void TermBuilder::expect_word(TermId t, std::string_view what, Place at) const {
  if (!is_word(terms_[t].type)) {
    fail(fmt::format("{} is a {}, expected a word", what, to_string(terms_[t].type)), at);
  }
}

TermId TermBuilder::as_number(TermId t) {
  return terms_[t].type == kBoolean ? make(Op::Convert, kNumber, {t}, terms_[t].at) : t;
}

TermId TermBuilder::as_boolean(TermId t, int depth) {
  const Term term = terms_[t];
  const auto is_truth = [](std::int64_t value) { return value == 0 || value == 1; };
  if (term.type != kNumber) {
    return t;
  }
  if (term.op == Op::Constant && is_truth(term.value)) {
    return constant(term.value, kBoolean, term.at);
  }
  if (term.op == Op::ConstantSet && std::ranges::all_of(terms_.set(term.value), is_truth)) {
    return make(Op::ConstantSet, kBoolean, {}, term.at, term.value);
  }
  if (term.op == Op::Case && depth < kDeepestCase) {  // of such values
    if (const auto known = booleans_.find(t.value()); known != booleans_.end()) {
      return known->second;
    }
    booleans_.emplace(t.value(), t);
    const std::span<const TermId> operands = terms_.operands(t);
    std::vector<TermId> branches(operands.begin(), operands.end());
    for (std::size_t i = 1; i < branches.size(); i += 2) {
      branches[i] = as_boolean(branches[i], depth + 1);
      if (terms_[branches[i]].type != kBoolean) {
        return t;
      }
    }
    return booleans_[t.value()] = make(Op::Case, kBoolean, branches, term.at);
  }
  return t;
}

void TermBuilder::expect_condition(TermId t, std::string_view what, Place at) const {
  if (terms_[t].type != kBoolean) {
    fail(fmt::format("{} is a {}, expected a boolean", what, to_string(terms_[t].type)), at);
  }
  expect_single(t, what, at);
}

std::int64_t TermBuilder::constant_number(TermId t, std::string_view expected, Place at) const {
  const Term& term = terms_[t];
  if (term.op != Op::Constant || !is_plain(term.type) || is_symbol(term.value) ||
      term.value == kExit) {
    fail(fmt::format("expected {}", expected), at);
  }
  return term.value;
}

/// The type of what may be either; an error if they have nothing in common.
Type TermBuilder::common(Type a, Type b, std::string_view what, Place at) const {
  if (a == b || b == kExitType) {
    return a;
  }
  if (a == kExitType) {
    return b;
  }
  if (is_plain(a) && is_plain(b)) {
    return kSymbolic;
  }
  fail(fmt::format("{}: a {} and a {} do not go together", what, to_string(a), to_string(b)), at);
}

TermId TermBuilder::operation(Syntax kind, const std::vector<TermId>& operands, Place at) {
  switch (kind) {
    case Syntax::Not: {
      const TermId t = operands[0];
      if (is_word(terms_[t].type)) {
        return make(Op::BitNot, terms_[t].type, {t}, at);
      }
      if (terms_[t].type != kBoolean) {
        fail(fmt::format("operator '!': found a {}, expected a boolean or a word",
                         to_string(terms_[t].type)),
             at);
      }
      if (terms_[t].op == Op::Not) {
        return terms_.operands(t)[0];
      }
      return make(Op::Not, kBoolean, {t}, at);
    }
    case Syntax::Negate: {
      const Type type = terms_[operands[0]].type;
      if (type.kind == Type::Kind::Boolean) {
        fail("operator '-': found a boolean, expected a number or a word", at);
      }
      return make(Op::Negate, is_word(type) ? type : kNumber, operands, at);
    }
    case Syntax::And:
    case Syntax::Or:
    case Syntax::Xor:
    case Syntax::Xnor:
    case Syntax::Implies:
    case Syntax::Iff:
      return logical(kind, operands[0], operands[1], at);
    case Syntax::Equal:
    case Syntax::NotEqual:
    case Syntax::Less:
    case Syntax::LessEqual:
    case Syntax::Greater:
    case Syntax::GreaterEqual:
      return comparison(kind, operands[0], operands[1], at);
    case Syntax::Plus:
    case Syntax::Minus:
    case Syntax::Times:
    case Syntax::Divide:
    case Syntax::Mod:
      return arithmetic(kind, operands[0], operands[1], at);
    case Syntax::ShiftLeft:
    case Syntax::ShiftRight:
      return shift(kind, operands[0], operands[1], at);
    case Syntax::Concat: {
      expect_word(operands[0], "the left operand of '::'", at);
      expect_word(operands[1], "the right operand of '::'", at);
      const int low = terms_[operands[1]].type.width;
      const int width = terms_[operands[0]].type.width + low;
      return make(Op::Concat, word_type(width, false, at), operands, at, low);
    }
    case Syntax::Union:
    case Syntax::Set:
      return choice(operands, at);
    case Syntax::In:
      return membership(operands[0], operands[1], at);
    case Syntax::Range:
      return range(operands[0], operands[1], at);
    case Syntax::Case:
      return case_of(operands, at);
    case Syntax::BitSelect:
      return bits(operands, at);
    default:
      break;
  }
  fail("this operator cannot stand here", at);
}

TermId TermBuilder::logical(Syntax kind, TermId left, TermId right, Place at) {
  const Type type = terms_[left].type;
  if (is_word(type) && type == terms_[right].type) {
    switch (kind) {
      case Syntax::And:
        return make(Op::BitAnd, type, {left, right}, at);
      case Syntax::Or:
        return make(Op::BitOr, type, {left, right}, at);
      case Syntax::Xor:
        return make(Op::BitXor, type, {left, right}, at);
      case Syntax::Implies:
        return make(Op::BitOr, type, {make(Op::BitNot, type, {left}, at), right}, at);
      default:
        return make(Op::BitNot, type, {make(Op::BitXor, type, {left, right}, at)}, at);
    }
  }
  for (const TermId t : {left, right}) {
    if (terms_[t].type != kBoolean) {
      fail(fmt::format("operator '{}': found a {}, expected a boolean", text_of(kind),
                       to_string(terms_[t].type)),
           terms_[t].at == 0 ? at : terms_[t].at);
    }
  }
  switch (kind) {
    case Syntax::Xor:
      return make(Op::NotEqual, kBoolean, {left, right}, at);
    case Syntax::Xnor:
    case Syntax::Iff:
      return make(Op::Equal, kBoolean, {left, right}, at);
    case Syntax::Implies:
      left = operation(Syntax::Not, {left}, at);
      kind = Syntax::Or;
      break;
    default:
      break;
  }
  const bool is_and = kind == Syntax::And;
  // match: x & TRUE, x | FALSE   result: x;   match: x & FALSE, x | TRUE   result: the constant
  if (is_constant(left, is_and)) {
    return right;
  }
  if (is_constant(right, is_and) || left == right) {
    return left;
  }
  if (is_constant(left, !is_and)) {
    return left;
  }
  if (is_constant(right, !is_and) && !terms_[left].can_fail) {
    return right;
  }
  return make(is_and ? Op::And : Op::Or, kBoolean, {left, right}, at);
}

TermId TermBuilder::comparison(Syntax kind, TermId left, TermId right, Place at) {
  const std::string what = fmt::format("operator '{}'", text_of(kind));
  for (const TermId t : {left, right}) {
    if (terms_[t].several) {
      fail(fmt::format("{} compares with a set, expected a single value; use 'in'", what), at);
    }
  }
  const bool is_order = kind != Syntax::Equal && kind != Syntax::NotEqual;
  if (is_order || terms_[left].type == kNumber || terms_[right].type == kNumber) {
    left = as_number(left);
    right = as_number(right);
  }
  const Type type = common(terms_[left].type, terms_[right].type, what, at);
  if (!is_order) {
    // match: x = TRUE   result: x;  not where x may be EXIT, which is neither
    return make(kind == Syntax::Equal ? Op::Equal : Op::NotEqual, kBoolean, {left, right}, at);
  }
  if (type.kind == Type::Kind::Boolean || type.kind == Type::Kind::Exit) {
    fail(fmt::format("{}: found a boolean or EXIT, expected a number or a word", what), at);
  }
  for (const TermId t : {left, right}) {
    if (is_constant(t) && is_plain(terms_[t].type) && is_symbol(terms_[t].value)) {
      fail(fmt::format("{}: '{}' is no number", what, symbols_.name(terms_[t].value)), at);
    }
  }
  if (kind == Syntax::Greater || kind == Syntax::GreaterEqual) {
    std::swap(left, right);
  }
  const bool strict = kind == Syntax::Less || kind == Syntax::Greater;
  return make(strict ? Op::Less : Op::LessEqual, kBoolean, {left, right}, at);
}

TermId TermBuilder::arithmetic(Syntax kind, TermId left, TermId right, Place at) {
  left = as_number(left);
  right = as_number(right);
  const Type a = terms_[left].type;
  const Type b = terms_[right].type;
  const bool words = is_word(a) && a == b;
  if (!words && !(is_plain(a) && is_plain(b))) {
    fail(fmt::format("operator '{}': found a {} and a {}, expected two numbers or two words of one "
                     "type",
                     text_of(kind), to_string(a), to_string(b)),
         at);
  }
  for (const TermId t : {left, right}) {
    if (is_constant(t) && !words && is_symbol(terms_[t].value)) {
      fail(fmt::format("operator '{}': '{}' is no number", text_of(kind),
                       symbols_.name(terms_[t].value)),
           at);
    }
  }
  return make(arithmetic_op(kind), words ? a : kNumber, {left, right}, at);
}

TermId TermBuilder::shift(Syntax kind, TermId left, TermId right, Place at) {
  expect_word(left, fmt::format("the left operand of '{}'", text_of(kind)), at);
  const Type amount = terms_[right].type;
  if (!is_plain(amount) && !(is_word(amount) && !amount.is_signed)) {
    fail(fmt::format("operator '{}': the amount is a {}, expected a number or an unsigned word",
                     text_of(kind), to_string(amount)),
         at);
  }
  return make(kind == Syntax::ShiftLeft ? Op::ShiftLeft : Op::ShiftRight, terms_[left].type,
              {left, right}, at, is_wide(amount) ? amount.width : 0);
}

Type TermBuilder::word_type(std::int64_t width, bool is_signed, Place at) const {
  if (width < 1 || width > kWidestWord) {
    fail(fmt::format("a word of {} bits is not supported, expected 1 to {}", width, kWidestWord),
         at, base::Error::Kind::Unsupported);
  }
  return {Type::Kind::Word, is_signed, static_cast<std::uint16_t>(width)};
}

TermId TermBuilder::bits(const std::vector<TermId>& operands, Place at) {
  expect_word(operands[0], "the operand of the bit selection", at);
  const std::int64_t high = constant_number(operands[1], "a constant as the highest bit", at);
  const std::int64_t low = constant_number(operands[2], "a constant as the lowest bit", at);
  if (low < 0 || high < low || high >= terms_[operands[0]].type.width) {
    fail(fmt::format("there are no bits {}:{} in a word of {} bits", high, low,
                     terms_[operands[0]].type.width),
         at);
  }
  return make(Op::BitSelect, word_type(high - low + 1, false, at), {operands[0]}, at, low);
}

TermId TermBuilder::select(TermId index, std::int64_t low, const std::vector<TermId>& elements,
                           Place at) {
  const Type type = terms_[index].type;
  if (!is_plain(type) && !(is_word(type) && !type.is_signed)) {
    fail(fmt::format("the index is a {}, expected a number", to_string(type)), at);
  }
  if (is_wide(type)) {
    index = make(Op::Convert, kNumber, {index}, at);
  }
  if (is_constant(index)) {
    const std::int64_t i = terms_[index].value - low;
    if (i < 0 || i >= static_cast<std::int64_t>(elements.size())) {
      fail(fmt::format("index {} is out of bounds {}..{}", terms_[index].value, low,
                       low + static_cast<std::int64_t>(elements.size()) - 1),
           at);
    }
    return elements[static_cast<std::size_t>(i)];
  }
  std::vector<TermId> operands{index};
  Type element = terms_[elements.front()].type;
  for (const TermId t : elements) {
    element = common(element, terms_[t].type, "the elements of the array", at);
    operands.push_back(t);
  }
  return make(Op::Select, element, operands, at, low);
}

}  // namespace nestor::smv
