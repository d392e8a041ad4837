// Properties of PSL (IEEE 1850), the operators and the precedence of NuSMV 2.6 (user manual,
// section 3.6): an operator before its operand takes all that binds more tightly, also at the right
// of another one, so that `a & always b -> c` is `a & always (b -> c)`, and `F a & b` is `F (a &
// b)`. What is left out are regular expressions, clocks and `abort`, which LTL has not.

#include "smv/syntax/dialect.h"
#include "smv/syntax/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace nestor::smv {

namespace {

constexpr std::size_t kMostCopies = 10'000;

constexpr std::array<std::string_view, 6> kOfRegularExpressions = {
    "within", "within_", "whilenot", "whilenot_", "sequence", "forany"};
constexpr std::array<std::string_view, 3> kOfClocks = {"rose", "fell", "prev"};

struct PathWord {
  std::string_view text;
  std::string_view letter;
  int precedence;
};
constexpr std::array<PathWord, 4> kPathWords = {
    PathWord{"always", "G", kPslAlways}, PathWord{"never", "G", kPslAlways},
    PathWord{"G", "G", kPslAlways}, PathWord{"F", "F", kPslLetter}};

struct PslWord {
  std::string_view text;
  PslOperator::Kind kind;
  int precedence;
};
constexpr std::array<PslWord, 7> kNexts = {
    PslWord{"X", PslOperator::Kind::NextA, kPslLetter},
    PslWord{"next", PslOperator::Kind::NextA, kPslNext},
    PslWord{"next_a", PslOperator::Kind::NextA, kPslNext},
    PslWord{"next_e", PslOperator::Kind::NextE, kPslNext},
    PslWord{"next_event", PslOperator::Kind::NextEventA, kPslNext},
    PslWord{"next_event_a", PslOperator::Kind::NextEventA, kPslNext},
    PslWord{"next_event_e", PslOperator::Kind::NextEventE, kPslNext}};
constexpr std::array<PslWord, 2> kInfixes = {
    PslWord{"until", PslOperator::Kind::Until, kPslUntil},
    PslWord{"before", PslOperator::Kind::Before, kPslBefore}};

/// The row of the word; nullptr if it has none.
template <typename Table>
auto row_of(const Table& table, std::string_view word) {
  const auto* found =
      std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.text == word; });
  return found == table.end() ? nullptr : found;
}

}  // namespace

ExprId ExpressionParser::psl_expression() {
  return read_in(kPsl);
}

ExprId ExpressionParser::make(PslOperator op, Place at, const Bounds& bounds,
                              std::initializer_list<ExprId> operands) {
  std::vector<ExprId> children = {bounds.low, bounds.high};
  children.insert(children.end(), operands);
  const ExprId made = make(Syntax::Psl, at, children);
  file_.expressions.back().psl = op;
  return made;
}

void ExpressionParser::refuse(const Token& op) const {
  tokens_.fail(op.is("{") ? "regular expressions of PSL" : fmt::format("'{}' of PSL", op.text),
               op.at, base::Error::Kind::Unsupported);
}

/// A property that begins with an operator of PSL; not valid if none stands next.
ExprId ExpressionParser::psl_prefix() {
  const bool set_may_follow = std::exchange(set_may_follow_, false);
  const Token token = tokens_.peek();
  if (token.is("[")) {
    return psl_until(tokens_.take().at);
  }
  if (token.is("{") && !set_may_follow) {
    refuse(token);
  }
  if (token.kind != TokenKind::Word) {
    return ExprId();
  }
  if (row_of(kNexts, token.text) != nullptr) {
    return psl_next(tokens_.take());
  }
  if (const PathWord* word = row_of(kPathWords, token.text)) {
    tokens_.take();
    ExprId operand = binary(word->precedence + 1);
    if (token.is("never")) {
      operand = make(Syntax::Not, token.at, {operand});
    }
    return make(Syntax::Path, token.at, {operand}, word->letter);
  }
  if (token.is("eventually")) {
    tokens_.take();
    tokens_.expect("!", "after 'eventually'");
    return make(Syntax::Path, token.at, {binary(kPslNext + 1)}, "F");
  }
  if (token.is("forall")) {
    return for_all(tokens_.take().at);
  }
  // Names, unless something follows that cannot follow a name.
  const Token& next = tokens_.peek(1);
  const auto is_in = [&](const auto& words) {
    return std::find(words.begin(), words.end(), token.text) != words.end();
  };
  if ((is_in(kOfRegularExpressions) &&
       (next.is("(") || next.is("{") || next.is("!") || next.kind == TokenKind::Word)) ||
      (is_in(kOfClocks) && next.is("("))) {
    refuse(token);
  }
  return ExprId();
}

/// `next f`, `next! [3] (f)`, `next_a [1:3] (f)`, `next_event! (e) (f)`, `next_event_e (e) [1:3]
/// (f)`.
ExprId ExpressionParser::psl_next(const Token& op) {
  const PslWord& word = *row_of(kNexts, op.text);
  PslOperator made{word.kind, false, false};
  if (tokens_.at("!") && tokens_.is_adjacent()) {
    tokens_.take();
    made.strong = true;
  }
  const bool has_range = op.text.ends_with("_a") || op.text.ends_with("_e");
  const bool has_event = made.kind >= PslOperator::Kind::NextEventA;
  const auto in_parentheses = [&] {
    tokens_.expect("(", fmt::format("after '{}'", op.text));
    const ExprId inner = expression();
    tokens_.expect(")", "to close the parenthesis");
    return inner;
  };
  const auto once = [&] {
    const ExprId one = make(Syntax::Number, op.at, {}, {}, 1);
    return Bounds{one, one};
  };
  const ExprId event = has_event ? in_parentheses() : ExprId();
  // `next [a U b]` has no bound.
  const bool has_bounds = has_range || (tokens_.at("[") && (has_event || tokens_.peek(2).is("]")));
  if (!has_bounds) {
    const ExprId operand = has_event ? in_parentheses() : binary(word.precedence + 1);
    const Bounds bounds = once();
    return has_event ? make(made, op.at, bounds, {event, operand})
                     : make(made, op.at, bounds, {operand});
  }
  const Place at = tokens_.expect("[", fmt::format("after '{}'", op.text)).at;
  const Bounds bounds = constant_bounds(has_range ? ":" : "");
  if (has_event && file_[bounds.low].value == 0) {
    tokens_.fail("events are counted from 1", at);
  }
  const ExprId operand = in_parentheses();
  return has_event ? make(made, op.at, bounds, {event, operand})
                   : make(made, op.at, bounds, {operand});
}

/// `[f U g]` and `[f W g]`, behind the bracket.
ExprId ExpressionParser::psl_until(Place at) {
  const ExprId left = expression();
  const Token op = tokens_.peek();
  if (!op.is("U") && !op.is("W")) {
    tokens_.fail_expected("'U' or 'W' between two properties");
  }
  tokens_.take();
  const ExprId right = expression();
  tokens_.expect("]", "to close the bracket");
  return make(Syntax::Path, at, {left, right}, op.text);
}

/// `left until! right` and its like, `before!_` too; not valid if none of them stands next, or only
/// one that binds less tightly.
ExprId ExpressionParser::psl_infix(ExprId left, int least_precedence) {
  const Token op = tokens_.peek();
  if (op.is("abort") || op.is("@")) {
    refuse(op);
  }
  if (op.kind != TokenKind::Word) {
    return ExprId();
  }
  const bool inclusive = op.text.ends_with('_');
  const PslWord* word =
      row_of(kInfixes, inclusive ? op.text.substr(0, op.text.size() - 1) : op.text);
  if (word == nullptr || word->precedence < least_precedence) {
    return ExprId();
  }
  tokens_.take();
  PslOperator made{word->kind, false, inclusive};
  if (!inclusive && tokens_.at("!") && tokens_.is_adjacent()) {
    tokens_.take();
    made.strong = true;
    if (tokens_.at("_") && tokens_.is_adjacent()) {
      tokens_.take();
      made.inclusive = true;
    }
  }
  const ExprId right = binary(word->precedence + 1);
  const ExprId none = make(Syntax::Number, op.at, {}, {}, 0);
  return make(made, file_[left].at, {none, none}, {left, right});
}

/// `forall i in {0:2, 5} : f`, behind its first word: f for each value, all of them. What follows
/// the colon is read once for each.
ExprId ExpressionParser::for_all(Place at) {
  const Token name = tokens_.expect_name("a name after 'forall'");
  tokens_.expect("in", fmt::format("after '{}'", name.text));
  const std::vector<ExprId> values = values_of_for_all();
  tokens_.expect(":", "before what holds for all values");
  copies_ *= values.size();
  if (copies_ > kMostCopies) {
    tokens_.fail(fmt::format("'forall' makes more than {} copies", kMostCopies), at);
  }
  const std::size_t begin = tokens_.position();
  ExprId all;
  for (const ExprId value : values) {
    tokens_.go_back(begin);
    replicated_.emplace_back(name.text, value);
    const ExprId one = binary(dialect_->conditional);
    replicated_.pop_back();
    all = all.valid() ? make(Syntax::And, at, {all, one}) : one;
  }
  copies_ /= values.size();
  return all;
}

std::vector<ExprId> ExpressionParser::values_of_for_all() {
  const Place at = tokens_.peek().at;
  std::vector<ExprId> values;
  if (tokens_.accept("boolean")) {
    values.push_back(make(Syntax::Boolean, at, {}, {}, 0));
    values.push_back(make(Syntax::Boolean, at, {}, {}, 1));
    return values;
  }
  tokens_.expect("{", "before the values of 'forall'");
  const auto number_here = [&] {
    if (tokens_.peek().kind != TokenKind::Number) {
      tokens_.fail_expected("a number");
    }
    return number(tokens_.take());
  };
  do {
    const ExprId first = number_here();
    values.push_back(first);
    if (!tokens_.accept(":")) {
      continue;
    }
    const Place last_at = tokens_.peek().at;
    const std::int64_t last = file_[number_here()].value;
    if (last < file_[first].value) {
      tokens_.fail("the first value is larger than the last", last_at);
    }
    if (static_cast<std::size_t>(last - file_[first].value) >= kMostCopies) {
      tokens_.fail(fmt::format("'forall' makes more than {} copies", kMostCopies), last_at);
    }
    for (std::int64_t value = file_[first].value + 1; value <= last; ++value) {
      values.push_back(make(Syntax::Number, last_at, {}, {}, value));
    }
  } while (tokens_.accept(","));
  tokens_.expect("}", "to close the values of 'forall'");
  return values;
}

/// What a name stands for that a `forall` around it declares; not valid if none does.
ExprId ExpressionParser::value_of_for_all(const Token& name) {
  const auto found = std::find_if(replicated_.rbegin(), replicated_.rend(),
                                  [&](const auto& one) { return one.first == name.text; });
  return found == replicated_.rend() ? ExprId() : found->second;
}

}  // namespace nestor::smv
