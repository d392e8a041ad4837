#include "smv/syntax/parser.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace nestor::smv {

namespace {

constexpr int kDeepest = 1000;

struct BinaryOperator {
  std::string_view text;
  Syntax kind;
  int precedence;
  bool right = false;
};

// NuSMV 2.6 user manual, section 2.2.3; operators of CTL stand between comparison and `&`.
constexpr int kImplies = 1;
constexpr int kIff = 2;
constexpr int kConditional = 3;
constexpr int kOr = 4;
constexpr int kAnd = 5;
constexpr int kComparison = 6;
constexpr int kIn = 7;
constexpr int kUnion = 8;
constexpr int kShift = 9;
constexpr int kSum = 10;
constexpr int kProduct = 11;
constexpr int kConcat = 12;

constexpr std::array kOperators = {
    BinaryOperator{"->", Syntax::Implies, kImplies, true},
    BinaryOperator{"<->", Syntax::Iff, kIff},
    BinaryOperator{"|", Syntax::Or, kOr},
    BinaryOperator{"||", Syntax::Or, kOr},
    BinaryOperator{"xor", Syntax::Xor, kOr},
    BinaryOperator{"xnor", Syntax::Xnor, kOr},
    BinaryOperator{"&", Syntax::And, kAnd},
    BinaryOperator{"&&", Syntax::And, kAnd},
    BinaryOperator{"=", Syntax::Equal, kComparison},
    BinaryOperator{"!=", Syntax::NotEqual, kComparison},
    BinaryOperator{"<", Syntax::Less, kComparison},
    BinaryOperator{"<=", Syntax::LessEqual, kComparison},
    BinaryOperator{">", Syntax::Greater, kComparison},
    BinaryOperator{">=", Syntax::GreaterEqual, kComparison},
    BinaryOperator{"in", Syntax::In, kIn},
    BinaryOperator{"union", Syntax::Union, kUnion},
    BinaryOperator{"<<", Syntax::ShiftLeft, kShift},
    BinaryOperator{">>", Syntax::ShiftRight, kShift},
    BinaryOperator{"+", Syntax::Plus, kSum},
    BinaryOperator{"-", Syntax::Minus, kSum},
    BinaryOperator{"*", Syntax::Times, kProduct},
    BinaryOperator{"/", Syntax::Divide, kProduct},
    BinaryOperator{"mod", Syntax::Mod, kProduct},
    BinaryOperator{"::", Syntax::Concat, kConcat},
};

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

const BinaryOperator* binary_operator(const Token& token) {
  for (const BinaryOperator& op : kOperators) {
    if (token.is(op.text)) {
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

ExprId ExpressionParser::make(Syntax kind, Place at, std::initializer_list<ExprId> children,
                              std::string_view text, std::int64_t value) {
  const ExprId id = make(kind, at, std::vector<ExprId>(children), text);
  file_.expressions.back().value = value;
  return id;
}

ExprId ExpressionParser::make(Syntax kind, Place at, const std::vector<ExprId>& children,
                              std::string_view text) {
  Expr expr{kind, at, tokens_.end_of_last(), text};
  expr.first_child = static_cast<std::uint32_t>(file_.children.size());
  expr.child_count = static_cast<std::uint32_t>(children.size());
  file_.children.insert(file_.children.end(), children.begin(), children.end());
  file_.expressions.push_back(expr);
  return ExprId(file_.expressions.size() - 1);
}

ExprId ExpressionParser::expression() {
  return binary(kImplies);
}

ExprId ExpressionParser::bound() {
  return binary(kSum);
}

ExprId ExpressionParser::binary(int least_precedence) {
  const Nesting nesting(depth_, tokens_);
  ExprId left = unary();
  for (;;) {
    const Token& token = tokens_.peek();
    const Place at = file_[left].at;
    if (token.is("?") && least_precedence <= kConditional) {
      tokens_.take();
      const ExprId yes = expression();  // it stands between brackets of a kind
      tokens_.expect(":", "of the conditional expression");
      const ExprId no = binary(kConditional);
      const ExprId otherwise = make(Syntax::Boolean, at, {}, {}, 1);
      left = make(Syntax::Case, at, {left, yes, otherwise, no});
      continue;
    }
    const BinaryOperator* op = binary_operator(token);
    if (op == nullptr || op->precedence < least_precedence) {
      // `low..high` in an expression is the set of its values.
      if (token.is("..") && least_precedence <= kShift) {
        tokens_.take();
        left = make(Syntax::Range, at, {left, bound()});
        continue;
      }
      return left;
    }
    tokens_.take();
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
  for (const PrefixOperator& op : kTemporal) {
    if (token.is(op.text)) {
      tokens_.take();
      return make(op.kind, at, {binary(kComparison)});
    }
  }
  for (const PrefixOperator& op : kBounded) {
    if (token.is(op.text)) {
      const Bounds bounds = range_of(tokens_.take());
      return make(op.kind, at, {bounds.low, bounds.high, binary(kComparison)});
    }
  }
  return postfix(primary());
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
  for (const std::string_view name : kFunctions) {
    if (token.is(name)) {
      return function_call(tokens_.take());
    }
  }
  if (token.kind == TokenKind::Word && !is_reserved(token.text)) {
    tokens_.take();
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
