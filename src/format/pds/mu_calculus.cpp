// From the modal mu-calculus to CTL. Reading is by operator precedence with an explicit stack, and
// the tree's nodes come out operands first, so no depth of nesting exhausts the C++ stack.
//
// Let f(Y) be the body of a fixpoint in which the variable X occurs as <>X only, written Y, and
// positively. f is monotone and Y occurs in no temporal operator, so f(Y) = f(ff) or (f(tt) and Y).
// With p = f(tt) and q = f(ff), and paths maximal (docs/semantics.md):
//
//   mu X. q | p & <>X   =  E [p U q]
//   mu X. q | p & []X   =  A [p U (q | p & !EX true)]      [] is true in a dead end
//   nu X. q | p & <>X   =  E [p U q] | EG (p & EX true)    <> is false in a dead end
//   nu X. q | p & []X   =  A [p W q]

#include "format/pds/mu_calculus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace nestor {

namespace {

constexpr std::size_t kMostFixpoints = 1000;  // each costs a pass over its body

enum class Kind : std::uint8_t {
  Name,
  Variable,
  True,
  False,
  Not,
  Diamond,
  Box,
  And,
  Or,
  Implies,
  Mu,
  Nu,
  Open,  // '(' on the operator stack
};

/// The larger binds tighter. Fixpoints reach as far to the right as they can.
int precedence(Kind kind) {
  switch (kind) {
    case Kind::Open:
      return 0;
    case Kind::Mu:
    case Kind::Nu:
      return 1;
    case Kind::Implies:
      return 2;
    case Kind::Or:
      return 3;
    case Kind::And:
      return 4;
    default:
      return 5;
  }
}

bool is_binary(Kind kind) {
  return kind == Kind::And || kind == Kind::Or || kind == Kind::Implies;
}

struct Node {
  Kind kind = Kind::True;
  std::size_t left = 0;    // of operators
  std::size_t right = 0;   // of binary ones
  std::string_view name;   // of names; of variables and fixpoints, the variable's
  std::size_t binder = 0;  // of variables and fixpoints: which fixpoint
  const char* at = nullptr;
};

struct Unsupported {
  std::string what;
  const char* at = nullptr;
};

class Parser {
 public:
  Parser(const Input& input, std::string_view text)
      : input_(input), at_(text.data()), end_(text.data() + text.size()) {}

  /// Operands first; the root is last.
  std::vector<Node> parse() {
    bool operand_next = true;
    for (skip_blanks(); at_ < end_; skip_blanks()) {
      operand_next = operand_next ? read_operand() : read_operator();
    }
    if (operand_next) {
      fail("expected a formula before end of the mu property", end_);
    }
    while (!operators_.empty()) {
      if (operators_.back().kind == Kind::Open) {
        fail("expected ')' before end of the mu property", end_);
      }
      reduce();
    }
    assert(operands_.size() == 1);
    return std::move(nodes_);
  }

  const std::optional<Unsupported>& unsupported() const { return unsupported_; }

 private:
  [[noreturn]] void fail(const std::string& message, const char* at) const {
    throw Error(Error::Kind::Input, message,
                input_.locate(static_cast<std::size_t>(at - input_.text().data())));
  }
  [[noreturn]] void expected(std::string_view what) const {
    fail(at_ == end_ ? fmt::format("expected {} before end of the mu property", what)
                     : fmt::format("expected {}, found '{}'", what, *at_),
         at_);
  }

  void skip_blanks() {
    for (;;) {
      while (at_ < end_ && static_cast<unsigned char>(*at_) <= ' ') {
        ++at_;
      }
      if (end_ - at_ < 2 || at_[0] != '/' || at_[1] != '/') {
        return;
      }
      at_ = std::find(at_, end_, '\n');
    }
  }
  bool take(std::string_view token) {
    if (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).substr(0, token.size()) !=
        token) {
      return false;
    }
    at_ += token.size();
    return true;
  }
  static bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_$#'").find(c) != std::string_view::npos ||
           static_cast<unsigned char>(c) >= 128;
  }
  std::string_view name(std::string_view what) {
    const char* first = at_;
    while (at_ < end_ && in_name(*at_)) {
      ++at_;
    }
    if (at_ == first) {
      expected(what);
    }
    return {first, static_cast<std::size_t>(at_ - first)};
  }

  void operand(Node node) {
    nodes_.push_back(node);
    operands_.push_back(nodes_.size() - 1);
  }
  void push(Kind kind, const char* at) {
    Node node;
    node.kind = kind;
    node.at = at;
    operators_.push_back(node);
  }

  /// Takes the topmost operator off the stack and applies it.
  void reduce() {
    Node node = operators_.back();
    operators_.pop_back();
    if (is_binary(node.kind)) {
      node.right = operands_.back();
      operands_.pop_back();
    }
    node.left = operands_.back();
    operands_.pop_back();
    if (node.kind == Kind::Mu || node.kind == Kind::Nu) {
      bound_.pop_back();
    }
    operand(node);
  }

  /// What may begin a formula. True if an operand must still follow.
  bool read_operand() {
    const char* at = at_;
    if (take("(")) {
      push(Kind::Open, at);
    } else if (take("!")) {
      push(Kind::Not, at);
    } else if (*at_ == '[' || *at_ == '<' || *at_ == '~') {
      read_modality();
    } else {
      return read_word(at);
    }
    return true;
  }

  void read_modality() {
    const char* at = at_;
    const bool backward = take("~");
    const bool box = take("[");
    if (!box && !take("<")) {
      expected("'[' or '<' after '~'");
    }
    const bool restricted = at_ < end_ && (*at_ == '@' || *at_ == '\\');
    if (restricted) {
      ++at_;
      for (skip_blanks(); at_ < end_ && in_name(*at_); skip_blanks()) {
        name("a proposition");
      }
    }
    skip_blanks();
    if (!take(box ? "]" : ">")) {
      expected(box ? "']'" : "'>'");
    }
    if ((backward || restricted) && !unsupported_) {
      unsupported_ = {fmt::format("the {}{}modality '{}'", backward ? "backward " : "",
                                  restricted ? "restricted " : "",
                                  std::string_view(at, static_cast<std::size_t>(at_ - at))),
                      at};
    }
    push(box ? Kind::Box : Kind::Diamond, at);
  }

  bool read_word(const char* at) {
    const std::string_view word = name("a formula");
    if (word == "mu" || word == "nu") {
      read_binder(word == "mu" ? Kind::Mu : Kind::Nu, at);
      return true;
    }
    Node node;
    node.at = at;
    node.name = word;
    node.kind = word == "tt" || word == "true"    ? Kind::True
                : word == "ff" || word == "false" ? Kind::False
                                                  : Kind::Name;
    if (word[0] >= 'A' && word[0] <= 'Z') {
      node.kind = Kind::Variable;
      const auto binder = std::find_if(bound_.rbegin(), bound_.rend(),
                                       [&](const Node& bound) { return bound.name == word; });
      if (binder == bound_.rend()) {
        fail(fmt::format("variable '{}' is bound by no mu or nu", word), at);
      }
      node.binder = binder->binder;
    }
    operand(node);
    return false;
  }

  void read_binder(Kind kind, const char* at) {
    skip_blanks();
    const char* variable_at = at_;
    const std::string_view variable = name("a variable");
    if (variable[0] < 'A' || variable[0] > 'Z') {
      fail(fmt::format("variable '{}' does not begin with a capital letter", variable),
           variable_at);
    }
    skip_blanks();
    if (!take(".")) {
      expected("'.' after the variable");
    }
    push(kind, at);
    operators_.back().name = variable;
    operators_.back().binder = binders_++;
    bound_.push_back(operators_.back());
  }

  /// What may follow a formula. True if an operand must follow.
  bool read_operator() {
    const char* at = at_;
    if (take(")")) {
      while (!operators_.empty() && operators_.back().kind != Kind::Open) {
        reduce();
      }
      if (operators_.empty()) {
        fail("')' without '('", at);
      }
      operators_.pop_back();
      return false;
    }
    const Kind kind = take("&&") || take("&")   ? Kind::And
                      : take("||") || take("|") ? Kind::Or
                      : take("=>")              ? Kind::Implies
                                                : Kind::Open;
    if (kind == Kind::Open) {
      expected("'&', '|', '=>' or ')'");
    }
    while (!operators_.empty() && precedence(operators_.back().kind) >= precedence(kind)) {
      reduce();
    }
    push(kind, at);
    return true;
  }

  const Input& input_;
  const char* at_;
  const char* end_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> operands_;
  std::vector<Node> operators_;
  std::vector<Node> bound_;  // the fixpoints around the current place
  std::size_t binders_ = 0;
  std::optional<Unsupported> unsupported_;
};

class Translator {
 public:
  explicit Translator(const std::vector<Node>& nodes) : nodes_(nodes) {}

  /// In pool(). Not valid if unsupported() says something.
  FormulaId translate() {
    for (std::size_t i = 0; i < nodes_.size() && !unsupported_; ++i) {
      formulas_.push_back(translate(nodes_[i]));
    }
    return unsupported_ ? FormulaId() : formulas_.back();
  }
  const FormulaPool& pool() const { return pool_; }
  const std::optional<Unsupported>& unsupported() const { return unsupported_; }

 private:
  FormulaId unsupported(std::string what, const char* at) {
    if (!unsupported_) {
      unsupported_ = {std::move(what), at};
    }
    return pool_.constant(true);
  }

  FormulaId translate(const Node& node) {
    switch (node.kind) {
      case Kind::True:
      case Kind::False:
        return pool_.constant(node.kind == Kind::True);
      case Kind::Name:
        return pool_.atom(node.name);
      case Kind::Variable:
        return bare(node);
      case Kind::Not:
        return negation(formulas_[node.left]);
      case Kind::And:
        return conjunction(formulas_[node.left], formulas_[node.right]);
      case Kind::Or:
        return disjunction(formulas_[node.left], formulas_[node.right]);
      case Kind::Implies:
        return disjunction(negation(formulas_[node.left]), formulas_[node.right]);
      case Kind::Diamond:
      case Kind::Box:
        return modality(node);
      case Kind::Mu:
      case Kind::Nu:
        return fixpoint(node);
      case Kind::Open:
        break;
    }
    assert(false && "not a formula");
    return {};
  }

  // Names in files hold no control characters, so these atoms are no one's propositions.
  FormulaId placeholder(std::size_t binder, std::string_view what) {
    return pool_.atom(fmt::format("\x01{}{}", binder, what));
  }
  FormulaId bare(const Node& node) { return placeholder(node.binder, ""); }

  FormulaId modality(const Node& node) {
    const bool box = node.kind == Kind::Box;
    const Node& operand = nodes_[node.left];
    if (operand.kind == Kind::Variable) {
      return placeholder(operand.binder, box ? "[]" : "<>");
    }
    return pool_.unary(box ? Op::AX : Op::EX, formulas_[node.left]);
  }

  FormulaId fixpoint(const Node& node) {
    const FormulaId body = formulas_[node.left];
    if (++fixpoints_ > kMostFixpoints) {
      return unsupported(fmt::format("more than {} fixpoints", kMostFixpoints), node.at);
    }
    const FormulaId diamond = placeholder(node.binder, "<>");
    const FormulaId box = placeholder(node.binder, "[]");
    const Uses uses = uses_in(body, {diamond, box, placeholder(node.binder, "")});
    if (uses.bare || uses.in_temporal) {
      return unsupported(
          fmt::format("the fixpoint of '{}', which occurs elsewhere than as <>{} or []{}",
                      node.name, node.name, node.name),
          node.at);
    }
    if (uses.negative) {
      return unsupported(fmt::format("the fixpoint of '{}', which occurs negated", node.name),
                         node.at);
    }
    if (uses.diamond && uses.box) {
      return unsupported(
          fmt::format("the fixpoint of '{0}', which occurs as <>{0} and as []{0}", node.name),
          node.at);
    }
    const FormulaId next = uses.box ? box : diamond;
    const FormulaId q = replace(body, next, false);
    const FormulaId p = without(replace(body, next, true), q);
    if (!uses.box && !uses.diamond) {
      return body;
    }
    const FormulaId goes_on = pool_.unary(Op::EX, pool_.constant(true));
    if (node.kind == Kind::Mu) {
      return uses.diamond
                 ? until(p, q)
                 : pool_.binary(Op::AU, p, disjunction(q, conjunction(p, negation(goes_on))));
    }
    if (uses.diamond) {
      return disjunction(until(p, q), pool_.unary(Op::EG, conjunction(p, goes_on)));
    }
    return q == pool_.constant(false) ? pool_.unary(Op::AG, p) : pool_.binary(Op::AW, p, q);
  }

  /// match: q | p   result: p. Where q holds the fixpoints need no p.
  FormulaId without(FormulaId f, FormulaId q) const {
    if (pool_[f].op == Op::Or && pool_[f].left == q) {
      return pool_[f].right;
    }
    return pool_[f].op == Op::Or && pool_[f].right == q ? pool_[f].left : f;
  }

  FormulaId until(FormulaId p, FormulaId q) {
    if (q == pool_.constant(false)) {
      return q;
    }
    return p == pool_.constant(true) ? pool_.unary(Op::EF, q) : pool_.binary(Op::EU, p, q);
  }

  // ---- Boolean operators that know the constants ----

  FormulaId negation(FormulaId f) {
    if (f == pool_.constant(true) || f == pool_.constant(false)) {
      return pool_.constant(f != pool_.constant(true));
    }
    return pool_.unary(Op::Not, f);
  }
  FormulaId conjunction(FormulaId f, FormulaId g) {
    const FormulaId no = pool_.constant(false);
    const FormulaId yes = pool_.constant(true);
    return f == no || g == no ? no : f == yes ? g : g == yes ? f : pool_.binary(Op::And, f, g);
  }
  FormulaId disjunction(FormulaId f, FormulaId g) {
    const FormulaId no = pool_.constant(false);
    const FormulaId yes = pool_.constant(true);
    return f == yes || g == yes ? yes : f == no ? g : g == no ? f : pool_.binary(Op::Or, f, g);
  }

  static bool is_boolean(Op op) { return op == Op::Not || op == Op::And || op == Op::Or; }

  // ---- occurrences of a variable ----

  struct Placeholders {
    FormulaId diamond;
    FormulaId box;
    FormulaId bare;
  };
  struct Uses {
    bool diamond = false;
    bool box = false;
    bool bare = false;
    bool negative = false;     // under an odd number of negations
    bool in_temporal = false;  // below a temporal operator of the body
  };

  Uses uses_in(FormulaId body, const Placeholders& of) {
    constexpr std::uint8_t kPositive = 1;
    constexpr std::uint8_t kNegative = 2;
    constexpr std::uint8_t kTemporal = 4;
    Uses uses;
    std::vector<std::uint8_t> how(body.value() + std::size_t{1});
    how[body.value()] = kPositive;
    for (std::size_t i = body.value() + std::size_t{1}; i-- > 0;) {
      const FormulaId f(i);
      const Formula& formula = pool_[f];
      if (how[i] == 0) {
        continue;
      }
      if (f == of.diamond || f == of.box || f == of.bare) {
        uses.diamond = uses.diamond || f == of.diamond;
        uses.box = uses.box || f == of.box;
        uses.bare = uses.bare || f == of.bare;
        uses.negative = uses.negative || (how[i] & kNegative) != 0;
        uses.in_temporal = uses.in_temporal || (how[i] & kTemporal) != 0;
      }
      std::uint8_t below = how[i];
      if (formula.op == Op::Not) {
        below = static_cast<std::uint8_t>((how[i] & kTemporal) | ((how[i] & kPositive) << 1) |
                                          ((how[i] & kNegative) >> 1));
      } else if (!is_boolean(formula.op)) {
        below = kTemporal;
      }
      if (operand_count(formula.op) > 0) {
        how[formula.left.value()] |= below;
      }
      if (operand_count(formula.op) > 1) {
        how[formula.right.value()] |= below;
      }
    }
    return uses;
  }

  /// `body` with a constant for `placeholder`, which occurs below Boolean operators only.
  FormulaId replace(FormulaId body, FormulaId placeholder, bool value) {
    std::vector<FormulaId> now(body.value() + std::size_t{1});
    for (const FormulaId f : subformulas(pool_, body)) {
      const Formula formula = pool_[f];
      const auto left = [&] { return now[formula.left.value()]; };
      const auto right = [&] { return now[formula.right.value()]; };
      now[f.value()] = f == placeholder        ? pool_.constant(value)
                       : formula.op == Op::Not ? negation(left())
                       : formula.op == Op::And ? conjunction(left(), right())
                       : formula.op == Op::Or  ? disjunction(left(), right())
                                               : f;
    }
    return now[body.value()];
  }

  const std::vector<Node>& nodes_;
  FormulaPool pool_;  // its own, because of the placeholders
  std::vector<FormulaId> formulas_;
  std::size_t fixpoints_ = 0;
  std::optional<Unsupported> unsupported_;
};

FormulaId copy(const FormulaPool& from, FormulaId formula, FormulaPool& to) {
  std::vector<FormulaId> now(formula.value() + std::size_t{1});
  for (const FormulaId f : subformulas(from, formula)) {
    const Formula& part = from[f];
    if (part.op == Op::Atom) {
      now[f.value()] = to.atom(from.atom_name(f));
    } else if (operand_count(part.op) == 0) {
      now[f.value()] = to.constant(part.op == Op::True);
    } else if (operand_count(part.op) == 1) {
      now[f.value()] = to.unary(part.op, now[part.left.value()]);
    } else {
      now[f.value()] = to.binary(part.op, now[part.left.value()], now[part.right.value()]);
    }
  }
  return now[formula.value()];
}

/// On one line, without comments.
std::string on_one_line(std::string_view text) {
  std::string result;
  bool in_comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    in_comment = text[i] != '\n' && (in_comment || text.substr(i, 2) == "//");
    if (in_comment || static_cast<unsigned char>(text[i]) <= ' ') {
      if (!result.empty() && result.back() != ' ') {
        result += ' ';
      }
    } else {
      result += text[i];
    }
  }
  while (!result.empty() && result.back() == ' ') {
    result.pop_back();
  }
  return result;
}

}  // namespace

ModelProperty translate_mu_property(const Input& input, std::string_view text, FormulaPool& pool) {
  const auto locate = [&input](const char* at) {
    return input.locate(static_cast<std::size_t>(at - input.text().data()));
  };
  Parser parser(input, text);
  const std::vector<Node> nodes = parser.parse();
  ModelProperty property;
  property.formula.name = "mu property";
  property.formula.text = on_one_line(text);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  property.formula.location = locate(text.data() + first);
  std::optional<Unsupported> unsupported = parser.unsupported();
  if (!unsupported) {
    Translator translator(nodes);
    const FormulaId formula = translator.translate();
    unsupported = translator.unsupported();
    if (!unsupported) {
      property.formula.formula = copy(translator.pool(), formula, pool);
    }
  }
  if (unsupported) {
    property.unsupported =
        fmt::format("unsupported: {} at {}", unsupported->what, to_string(locate(unsupported->at)));
  }
  return property;
}

}  // namespace nestor
