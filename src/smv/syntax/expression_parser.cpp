#include "logic/path_formula.h"
#include "smv/syntax/dialect.h"
#include "smv/syntax/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace nestor::smv {

namespace {

constexpr int kDeepest = 1000;

struct PrefixOperator {
  std::string_view text;
  Syntax kind;
};
constexpr std::array kTemporal = {
    PrefixOperator{"EX", Syntax::EX}, PrefixOperator{"EF", Syntax::EF},
    PrefixOperator{"EG", Syntax::EG}, PrefixOperator{"AX", Syntax::AX},
    PrefixOperator{"AF", Syntax::AF}, PrefixOperator{"AG", Syntax::AG},
};
constexpr std::array kBounded = {
    PrefixOperator{"EBF", Syntax::EBF},
    PrefixOperator{"EBG", Syntax::EBG},
    PrefixOperator{"ABF", Syntax::ABF},
    PrefixOperator{"ABG", Syntax::ABG},
};
constexpr std::array<std::string_view, 14> kFunctions = {
    "toint", "bool", "word1",   "count",   "extend", "resize",   "max",
    "min",   "abs",  "uwconst", "swconst", "signed", "unsigned", "sizeof"};

const BinaryOperator* binary_operator(const Dialect& dialect, const Token& token) {
  const char first = token.text.empty() ? '\0' : token.text.front();  // mostly there is none
  for (const BinaryOperator& op : dialect.operators) {
    if (op.text.front() == first && token.is(op.text)) {
      return &op;
    }
  }
  return nullptr;
}

/// Counts how deep brackets and prefixes nest.
class Nesting {
 public:
  Nesting(int& depth, const TokenStream& tokens) : depth_(depth) {
    if (++depth_ > kDeepest) {
      tokens.fail("the expression nests too deep", tokens.peek().at);
    }
  }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  ~Nesting() { --depth_; }

 private:
  int& depth_;
};

}  // namespace

ExpressionParser::ExpressionParser(TokenStream& tokens, FileSyntax& file)
    : tokens_(tokens), file_(file), dialect_(&kSmv) {}

ExprId ExpressionParser::make(Syntax kind, Place at, std::initializer_list<ExprId> children,
                              std::string_view text, std::int64_t value) {
  const ExprId id = make(kind, at, std::span(children.begin(), children.size()), text);
  file_.expressions.back().value = value;
  return id;
}

ExprId ExpressionParser::make(Syntax kind, Place at, std::span<const ExprId> children,
                              std::string_view text) {
  Expr expr{kind, {}, at, tokens_.end_of_last(), text};
  expr.first_child = static_cast<std::uint32_t>(file_.children.size());
  expr.child_count = static_cast<std::uint32_t>(children.size());
  file_.children.insert(file_.children.end(), children.begin(), children.end());
  file_.expressions.push_back(expr);
  return ExprId(file_.expressions.size() - 1);
}

ExprId ExpressionParser::expression() {
  return binary(dialect_->loosest);
}

ExprId ExpressionParser::read_in(const Dialect& dialect) {
  struct Restore {
    ExpressionParser& parser;
    ~Restore() {
      parser.dialect_ = &kSmv;
      parser.replicated_.clear();
      parser.copies_ = 1;
    }
  };
  const Restore restore{*this};
  dialect_ = &dialect;
  set_may_follow_ = false;
  return expression();
}

ExprId ExpressionParser::ltl_expression() {
  return read_in(kLtl);
}

/// An operator of LTL before its operand, `F [2, 5] p` included; not valid if there is none.
ExprId ExpressionParser::ltl_prefix() {
  const Token token = tokens_.peek();
  constexpr std::array<std::string_view, 7> kLetters = {"X", "F", "G", "Y", "Z", "O", "H"};
  for (const std::string_view letter : kLetters) {
    if (!token.is(letter)) {
      continue;
    }
    tokens_.take();
    const bool may_have_bounds = letter == "F" || letter == "G" || letter == "O" || letter == "H";
    if (!may_have_bounds || !tokens_.accept("[")) {
      return make(Syntax::Path, token.at, {binary(dialect_->below_prefix)}, letter);
    }
    const Bounds bounds = constant_bounds(",");
    return make(Syntax::Path, token.at, {bounds.low, bounds.high, binary(dialect_->below_prefix)},
                letter);
  }
  return ExprId();
}

/// The two numbers of `[2, 5]`, or that of `[2]` twice if nothing is to stand between two.
ExpressionParser::Bounds ExpressionParser::constant_bounds(std::string_view between) {
  const auto number_here = [&] {
    if (const ExprId value = value_of_for_all(tokens_.peek()); value.valid()) {
      tokens_.take();
      return value;
    }
    if (tokens_.peek().kind != TokenKind::Number) {
      tokens_.fail_expected("a number");
    }
    return number(tokens_.take());
  };
  Bounds bounds{number_here(), {}};
  bounds.high = bounds.low;
  Place at = file_[bounds.low].at;
  if (!between.empty()) {
    tokens_.expect(between, "between the bounds");
    at = tokens_.peek().at;
    bounds.high = number_here();
  }
  tokens_.expect("]", "to close the bounds");
  if (file_[bounds.low].value > file_[bounds.high].value) {
    tokens_.fail("the first bound is larger than the second", at);
  }
  if (file_[bounds.high].value > nestor::logic::kLargestBound) {
    tokens_.fail(fmt::format("bounds may be at most {}", nestor::logic::kLargestBound), at);
  }
  return bounds;
}

/// The letter of the operator of LTL that stands next between two operands; empty if none does.
std::string_view ExpressionParser::ltl_infix() const {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kInfixes = {
      {{"U", "U"}, {"V", "V"}, {"S", "S"}, {"T", "T"}, {"R", "V"}}};
  for (const auto& [text, letter] : kInfixes) {
    if (tokens_.at(text)) {
      return letter;
    }
  }
  return {};
}

ExprId ExpressionParser::bound() {
  return binary(dialect_->below_range);
}

ExprId ExpressionParser::binary(int least_precedence) {
  const Nesting nesting(depth_, tokens_);
  ExprId left = unary();
  for (;;) {
    const Token& token = tokens_.peek();
    const Place at = file_[left].at;
    if (token.is("?") && least_precedence <= dialect_->conditional) {
      tokens_.take();
      const ExprId yes = expression();  // it stands between brackets of a kind
      tokens_.expect(":", "of the conditional expression");
      const ExprId no = binary(dialect_->conditional);
      const ExprId otherwise = make(Syntax::Boolean, at, {}, {}, 1);
      left = make(Syntax::Case, at, {left, yes, otherwise, no});
      continue;
    }
    if (dialect_->kind == Dialect::Kind::Ltl && least_precedence < dialect_->below_prefix) {
      if (const std::string_view infix = ltl_infix(); !infix.empty()) {
        tokens_.take();
        left = make(Syntax::Path, at, {left, binary(dialect_->below_prefix)}, infix);
        continue;
      }
    }
    if (dialect_->kind == Dialect::Kind::Psl) {
      if (const ExprId both = psl_infix(left, least_precedence); both.valid()) {
        left = both;
        continue;
      }
    }
    const BinaryOperator* op = binary_operator(*dialect_, token);
    if (op == nullptr || op->precedence < least_precedence) {
      // `low..high` in an expression is the set of its values.
      if (token.is("..") && least_precedence < dialect_->below_range) {
        tokens_.take();
        left = make(Syntax::Range, at, {left, bound()});
        continue;
      }
      return left;
    }
    tokens_.take();
    set_may_follow_ = op->kind == Syntax::In || op->kind == Syntax::Union ||
                      op->kind == Syntax::Equal || op->kind == Syntax::NotEqual;
    const ExprId right = binary(op->right ? op->precedence : op->precedence + 1);
    left = make(op->kind, at, {left, right});
  }
}

ExprId ExpressionParser::unary() {
  const Nesting nesting(depth_, tokens_);
  const Token& token = tokens_.peek();
  const Place at = token.at;
  if (token.is("!")) {
    tokens_.take();
    return make(Syntax::Not, at, {unary()});
  }
  if (token.is("-")) {
    tokens_.take();
    if (const Token next = tokens_.peek(); next.kind == TokenKind::Literal && next.at == at + 1) {
      tokens_.take();  // the smallest signed word cannot be written without its sign
      const std::string_view text(next.text.data() - 1, next.text.size() + 1);
      return make(Syntax::Literal, at, {}, text);
    }
    return make(Syntax::Negate, at, {unary()});
  }
  if (dialect_->kind == Dialect::Kind::Ltl) {
    if (const ExprId path = ltl_prefix(); path.valid()) {
      return path;
    }
  }
  if (dialect_->kind == Dialect::Kind::Psl) {
    if (const ExprId property = psl_prefix(); property.valid()) {
      return property;
    }
  }
  if (token.text.starts_with('A') || token.text.starts_with('E')) {
    if (const ExprId temporal = temporal_prefix(); temporal.valid()) {
      return temporal;
    }
  }
  return postfix(primary());
}

/// An operator of CTL before its operand; not valid if there is none.
ExprId ExpressionParser::temporal_prefix() {
  const Token& token = tokens_.peek();
  const Place at = token.at;
  for (const PrefixOperator& op : kTemporal) {
    if (token.is(op.text)) {
      tokens_.take();
      return make(op.kind, at, {binary(dialect_->below_prefix)});
    }
  }
  for (const PrefixOperator& op : kBounded) {
    if (token.is(op.text)) {
      const Bounds bounds = range_of(tokens_.take());
      return make(op.kind, at, {bounds.low, bounds.high, binary(dialect_->below_prefix)});
    }
  }
  return ExprId();
}

/// The `0..4` of `ABF 0..4 f`.
ExpressionParser::Bounds ExpressionParser::range_of(const Token& op) {
  const ExprId low = bound();
  tokens_.expect("..", fmt::format("of the bounds of {}", op.text));
  return {low, bound()};
}

ExprId ExpressionParser::primary() {
  const Token token = tokens_.peek();
  if (token.kind == TokenKind::Number) {
    return number(tokens_.take());
  }
  if (token.kind == TokenKind::Literal) {
    tokens_.take();
    return make(Syntax::Literal, token.at, {}, token.text);
  }
  if (token.is("(")) {
    tokens_.take();
    const ExprId inner = expression();
    tokens_.expect(")", "to close the parenthesis");
    return inner;
  }
  if (token.is("{")) {
    tokens_.take();
    std::vector<ExprId> elements;
    do {
      elements.push_back(expression());
    } while (tokens_.accept(","));
    tokens_.expect("}", "to close the set");
    return make(Syntax::Set, token.at, elements);
  }
  if (token.is("TRUE") || token.is("FALSE")) {
    tokens_.take();
    return make(Syntax::Boolean, token.at, {}, {}, token.text == "TRUE" ? 1 : 0);
  }
  if (token.is("boolean")) {  // a type as the set of its values, as in `x in boolean`
    tokens_.take();
    const ExprId no = make(Syntax::Boolean, token.at, {}, {}, 0);
    return make(Syntax::Set, token.at, {no, make(Syntax::Boolean, token.at, {}, {}, 1)});
  }
  if (token.is("case")) {
    tokens_.take();
    return case_expression(token.at);
  }
  if (token.is("next")) {
    tokens_.take();
    tokens_.expect("(", "after 'next'");
    const ExprId inner = expression();
    tokens_.expect(")", "to close 'next('");
    return make(Syntax::Next, token.at, {inner});
  }
  if (token.is("self")) {
    tokens_.take();
    return make(Syntax::Self, token.at, {});
  }
  if ((token.is("E") || token.is("A")) && tokens_.peek(1).is("[")) {
    tokens_.take();
    return until(token.at, token.text == "E");
  }
  if (std::ranges::any_of(kFunctions, [&](std::string_view name) { return token.is(name); })) {
    return function_call(tokens_.take());
  }
  if (token.kind == TokenKind::Word && !is_reserved(token.text)) {
    tokens_.take();
    if (const ExprId value = value_of_for_all(token); value.valid()) {
      return value;
    }
    return make(Syntax::Name, token.at, {}, token.text);
  }
  tokens_.fail_expected("an expression");
}

ExprId ExpressionParser::number(const Token& token) {
  std::int64_t value = 0;
  const auto [end, error] =
      std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
  if (error != std::errc() || end != token.text.data() + token.text.size()) {
    tokens_.fail(fmt::format("the number {} is too large", token.text), token.at);
  }
  return make(Syntax::Number, token.at, {}, token.text, value);
}

ExprId ExpressionParser::function_call(const Token& name) {
  tokens_.expect("(", fmt::format("after '{}'", name.text));
  std::vector<ExprId> arguments;
  do {
    arguments.push_back(expression());
  } while (tokens_.accept(","));
  tokens_.expect(")", fmt::format("to close '{}('", name.text));
  return make(Syntax::Function, name.at, arguments, name.text);
}

ExprId ExpressionParser::case_expression(Place at) {
  std::vector<ExprId> branches;
  while (!tokens_.at("esac")) {
    branches.push_back(expression());
    tokens_.expect(":", "between condition and value of the case");
    branches.push_back(expression());
    tokens_.expect(";", "after the value of the case");
  }
  if (branches.empty()) {
    tokens_.fail_expected("a condition of the case");
  }
  tokens_.take();
  return make(Syntax::Case, at, branches);
}

/// `E [ f U g ]`, `A [ f U g ]`.
ExprId ExpressionParser::until(Place at, bool exists) {
  tokens_.expect("[", "");
  const ExprId left = expression();
  if (tokens_.at("BU")) {
    const Bounds bounds = range_of(tokens_.take());
    const ExprId right = expression();
    tokens_.expect("]", "to close the until");
    return make(exists ? Syntax::EBU : Syntax::ABU, at, {bounds.low, bounds.high, left, right});
  }
  tokens_.expect("U", "between the two formulas");
  const ExprId right = expression();
  tokens_.expect("]", "to close the until");
  return make(exists ? Syntax::EU : Syntax::AU, at, {left, right});
}

ExprId ExpressionParser::postfix(ExprId base) {
  for (;;) {
    const Place at = file_[base].at;
    if (tokens_.accept(".")) {
      const Token& token = tokens_.peek();
      if (token.kind == TokenKind::Number) {  // an element of an array, in old files
        base = make(Syntax::Index, at, {base, number(tokens_.take())});
        continue;
      }
      const Token name = tokens_.expect_name("a name after the dot");
      base = make(Syntax::Dot, at, {base}, name.text);
    } else if (tokens_.accept("[")) {
      const ExprId index = expression();
      if (tokens_.accept(":")) {
        const ExprId low = expression();
        base = make(Syntax::BitSelect, at, {base, index, low});
      } else {
        base = make(Syntax::Index, at, {base, index});
      }
      tokens_.expect("]", "to close the index");
    } else {
      return base;
    }
  }
}

ExprId ExpressionParser::designator() {
  const Token token = tokens_.peek();
  ExprId base;
  if (token.is("self")) {
    tokens_.take();
    base = make(Syntax::Self, token.at, {});
  } else {
    tokens_.expect_name("the name of a variable");
    base = make(Syntax::Name, token.at, {}, token.text);
  }
  return postfix(base);
}

}  // namespace nestor::smv
