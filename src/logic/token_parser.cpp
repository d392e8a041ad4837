#include "logic/token_parser.h"

#include "logic/path_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <span>
#include <vector>

namespace nestor::logic {

namespace {

// How tightly binary operators bind; docs/logic.md says why in this order. `spelling` tells `xnor`,
// which binds like `xor`, from `<->`, which means the same.
int binding(Op op, std::string_view spelling) {
  switch (op) {
    case Op::And:
      return 4;
    case Op::Or:
    case Op::Xor:
      return 3;
    case Op::Iff:
      return spelling == "xnor" ? 3 : 2;
    default:
      assert(op == Op::Implies);
      return 1;
  }
}

bool is_right_associative(Op op) {
  return op == Op::Implies;
}

constexpr std::string_view kPathPrefixes = "XFGYZOH";
constexpr std::string_view kPathInfixes = "URWSTV";
constexpr int kPathBinding = 5;

/// Something begun and not yet ended. The frames are what a recursive parser has on its stack.
struct Frame {
  enum class Kind : std::uint8_t {
    Prefix,      ///< unary operator, waits for its operand
    Binary,      ///< binary operator with its left operand, waits for the right one
    Group,       ///< parenthesis
    Quantifier,  ///< A or E, waits for a path
    PathGroup,   ///< parenthesis or bracket after a quantifier: a path, or a path's left operand
  };
  /// How far Quantifier and PathGroup have got.
  enum class Phase : std::uint8_t {
    Left,   ///< before U, R or W
    Right,  ///< behind it; `op` and `left` are set
  };

  Kind kind = Kind::Prefix;
  Op op = Op::True;
  Phase phase = Phase::Left;
  bool universal = false;  ///< Quantifier: A, not E
  bool bracket = false;    ///< PathGroup: `[`, not `(`
  FormulaId left;
  int binding = 0;                         ///< Binary
  std::optional<std::size_t> bounds = {};  ///< Prefix: the token with its bounds
};

class TokenParser {
 public:
  TokenParser(FormulaPool& pool, const FormulaSource& source, const Lexer& lexer, std::size_t first)
      : pool_(pool),
        source_(source),
        lexer_(lexer),
        tokens_(std::span<const Token>(lexer.tokens()).subspan(first)) {}

  FormulaId parse() {
    for (;;) {
      while (!read_operand()) {
      }
      while (read_operator() == Next::Operator) {
        if (frames_.empty() && token().kind == TokenKind::End) {
          return of_all_paths(pool_, value_);
        }
      }
    }
  }

 private:
  enum class Next { Operand, Operator };

  const Token& token() const { return tokens_[next_]; }
  /// The token `ahead` places on; the last one if there are fewer.
  const Token& token(std::size_t ahead) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
  }
  std::string_view text_of(const Token& token) const {
    return source_.text.substr(token.begin, token.end - token.begin);
  }
  bool is_letter(const Token& token, std::string_view letters) const {
    return token.kind == TokenKind::Name && token.end - token.begin == 1 &&
           letters.find(source_.text[token.begin]) != std::string_view::npos;
  }
  static bool starts_operand(const Token& token);

  bool top_is(Frame::Kind kind) const { return !frames_.empty() && frames_.back().kind == kind; }
  bool top_is(Frame::Kind kind, Frame::Phase phase) const {
    return top_is(kind) && frames_.back().phase == phase;
  }
  /// True where a path may begin: behind a quantifier and any parentheses.
  bool at_path() const {
    return top_is(Frame::Kind::Quantifier, Frame::Phase::Left) ||
           top_is(Frame::Kind::PathGroup, Frame::Phase::Left);
  }

  bool read_operand();
  bool read_name();
  bool is_path_prefix() const;
  void begin_path_prefix();
  FormulaId bounded_by(const Frame& prefix) const;
  void open(bool bracket);

  Next read_operator();
  void reduce_tight();
  void reduce_binary(int tighter_than);
  Next read_binary();
  Next read_until();
  Next close();
  [[noreturn]] void fail_in_operator_position();
  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void fail_expected(std::string_view what, std::string_view remark = {}) const;

  FormulaPool& pool_;
  const FormulaSource& source_;
  const Lexer& lexer_;
  std::span<const Token> tokens_;  // the last one is End or Invalid
  std::size_t next_ = 0;
  std::vector<Frame> frames_;
  FormulaId value_;  // the operand last completed
};

bool TokenParser::starts_operand(const Token& token) {
  switch (token.kind) {
    case TokenKind::Name:
    case TokenKind::Quoted:
    case TokenKind::Atom:
    case TokenKind::True:
    case TokenKind::False:
    case TokenKind::Unary:
    case TokenKind::Exists:
    case TokenKind::ForAll:
    case TokenKind::LeftParenthesis:
      return true;
    default:
      return false;
  }
}

/// Takes one token where an operand must stand. True if that completes an operand.
bool TokenParser::read_operand() {
  const Token& current = token();
  switch (current.kind) {
    case TokenKind::Name:
      return read_name();
    case TokenKind::Quoted:
      value_ = pool_.atom(unquote(text_of(current)));
      break;
    case TokenKind::Atom:
      value_ = pool_.atom(lexer_.atoms()[current.atom]);
      break;
    case TokenKind::True:
    case TokenKind::False:
      value_ = pool_.constant(current.kind == TokenKind::True);
      break;
    case TokenKind::Unary:
      frames_.push_back({Frame::Kind::Prefix, current.op, {}, false, false, {}});
      ++next_;
      return false;
    case TokenKind::Exists:
    case TokenKind::ForAll:
      frames_.push_back({Frame::Kind::Quantifier, Op::True, Frame::Phase::Left,
                         current.kind == TokenKind::ForAll, false, FormulaId()});
      ++next_;
      return false;
    case TokenKind::LeftParenthesis:
      open(false);
      return false;
    case TokenKind::LeftBracket:
      if (at_path()) {
        open(true);
        return false;
      }
      fail("'[' can only stand behind 'A' or 'E'");
    default:
      fail_expected(top_is(Frame::Kind::Quantifier, Frame::Phase::Left) ? "a path formula"
                                                                        : "a formula");
  }
  ++next_;
  return true;
}

/// A name, which is a path operator if it is the letter of one and an operand follows.
bool TokenParser::read_name() {
  if (is_path_prefix()) {
    begin_path_prefix();
    return false;
  }
  value_ = pool_.atom(text_of(token()));
  ++next_;
  return true;
}

/// `X` is an operator before an operand, except where it can only be a name: in `E [X U p]`.
/// Right behind a quantifier, a path must begin.
bool TokenParser::is_path_prefix() const {
  if (!is_letter(token(), kPathPrefixes)) {
    return false;
  }
  if (is_letter(token(1), kPathInfixes) && starts_operand(token(2))) {
    return false;
  }
  return starts_operand(token(1)) || token(1).kind == TokenKind::Bounds ||
         (top_is(Frame::Kind::Quantifier) && is_letter(token(), "XFG"));
}

void TokenParser::begin_path_prefix() {
  Frame prefix{
      Frame::Kind::Prefix, path_operator(source_.text[token().begin]), {}, false, false, {}};
  ++next_;
  if (token().kind == TokenKind::Bounds) {
    prefix.bounds = next_++;
  }
  frames_.push_back(prefix);
}

FormulaId TokenParser::bounded_by(const Frame& prefix) const {
  const Token& token = tokens_[*prefix.bounds];
  std::uint32_t bounds[] = {0, 0};
  std::size_t which = 0;
  for (std::size_t i = token.begin; i < token.end; ++i) {
    const char c = source_.text[i];
    if (c == ',') {
      ++which;
    } else if (c >= '0' && c <= '9') {
      bounds[which] = bounds[which] * 10 + static_cast<std::uint32_t>(c - '0');
      if (bounds[which] > kLargestBound) {
        source_.fail(i, fmt::format("bounds may be at most {}", kLargestBound));
      }
    }
  }
  if (bounds[0] > bounds[1]) {
    source_.fail(token.begin, "the first bound is larger than the second");
  }
  return bounded(pool_, prefix.op, bounds[0], bounds[1], value_);
}

void TokenParser::open(bool bracket) {
  Frame group{Frame::Kind::Group, Op::True, Frame::Phase::Left, false, bracket, FormulaId()};
  if (at_path()) {
    group.kind = Frame::Kind::PathGroup;
  }
  frames_.push_back(group);
  ++next_;
}

/// Takes one token behind a complete operand.
TokenParser::Next TokenParser::read_operator() {
  reduce_tight();
  const bool is_infix = is_letter(token(), kPathInfixes);
  if (top_is(Frame::Kind::Quantifier)) {
    if (is_infix) {
      return read_until();
    }
    fail_expected("'U', 'R' or 'W'", "'A' and 'E' need a path formula");
  }
  const TokenKind kind = token().kind;
  if (kind == TokenKind::Binary) {
    return read_binary();
  }
  if (is_infix) {
    return read_until();
  }
  reduce_binary(0);
  if (kind == TokenKind::RightParenthesis || kind == TokenKind::RightBracket) {
    return close();
  }
  if (kind == TokenKind::End && frames_.empty()) {
    return Next::Operator;
  }
  fail_in_operator_position();
}

/// Ends what binds tighter than every binary operator: prefix operators, `E p U q`, and a
/// quantifier whose path is complete.
void TokenParser::reduce_tight() {
  while (!frames_.empty()) {
    const Frame& top = frames_.back();
    if (top.kind == Frame::Kind::Prefix) {
      value_ = top.bounds ? bounded_by(top) : temporal(pool_, top.op, value_);
    } else if (top.kind == Frame::Kind::Quantifier && top.phase == Frame::Phase::Right) {
      value_ = quantified(pool_, top.universal, pool_.binary(top.op, top.left, value_));
    } else if (top.kind == Frame::Kind::Quantifier && !pool_.is_state_formula(value_)) {
      value_ = quantified(pool_, top.universal, value_);
    } else {
      return;
    }
    frames_.pop_back();
  }
}

void TokenParser::reduce_binary(int tighter_than) {
  while (top_is(Frame::Kind::Binary) && frames_.back().binding > tighter_than) {
    value_ = pool_.binary(frames_.back().op, frames_.back().left, value_);
    frames_.pop_back();
  }
}

TokenParser::Next TokenParser::read_binary() {
  const Op op = token().op;
  const int tightness = binding(op, text_of(token()));
  reduce_binary(is_right_associative(op) ? tightness : tightness - 1);
  frames_.push_back({Frame::Kind::Binary, op, {}, false, false, value_, tightness});
  ++next_;
  return Next::Operand;
}

/// Right behind a quantifier and in its parentheses, `U` has all to its left and right as operands;
/// elsewhere it binds tighter than the connectives.
TokenParser::Next TokenParser::read_until() {
  const Op op = path_operator(source_.text[token().begin]);
  if (!at_path()) {
    std::size_t below = frames_.size();
    while (below > 0 && frames_[below - 1].kind == Frame::Kind::Binary) {
      --below;
    }
    const Frame* group = below == 0 ? nullptr : &frames_[below - 1];
    if (group != nullptr && group->kind == Frame::Kind::PathGroup) {
      if (group->phase == Frame::Phase::Right) {
        fail(fmt::format("second path operator '{}' behind one quantifier; write parentheses",
                         text_of(token())));
      }
      reduce_binary(0);
    }
  }
  if (at_path()) {
    Frame& top = frames_.back();
    top.op = op;
    top.left = value_;
    top.phase = Frame::Phase::Right;
  } else {
    if (top_is(Frame::Kind::Binary) && frames_.back().binding == kPathBinding) {
      fail(fmt::format("second path operator '{}'; write parentheses", text_of(token())));
    }
    frames_.push_back({Frame::Kind::Binary, op, {}, false, false, value_, kPathBinding});
  }
  ++next_;
  return Next::Operand;
}

TokenParser::Next TokenParser::close() {
  const bool bracket = token().kind == TokenKind::RightBracket;
  if (frames_.empty()) {
    fail(fmt::format("'{}' without '{}'", bracket ? ']' : ')', bracket ? '[' : '('));
  }
  const Frame top = frames_.back();
  assert(top.kind == Frame::Kind::Group || top.kind == Frame::Kind::PathGroup);
  if (bracket != top.bracket) {
    fail_expected(top.bracket ? "']'" : "')'");
  }
  if (bracket && top.phase == Frame::Phase::Left && pool_.is_state_formula(value_)) {
    fail_expected("'U', 'R' or 'W'", "'A' and 'E' need a path formula");
  }
  ++next_;
  frames_.pop_back();
  if (top.phase == Frame::Phase::Right) {
    value_ = pool_.binary(top.op, top.left, value_);
  }
  return Next::Operator;
}

void TokenParser::fail_in_operator_position() {
  if (token().kind == TokenKind::Assign) {
    fail("':=' can only stand behind a name at the start of a line");
  }
  if (frames_.empty()) {
    fail_expected("an operator");
  }
  const std::string_view closing = frames_.back().bracket ? "']'" : "')'";
  if (token().kind == TokenKind::End) {
    fail_expected(closing);
  }
  fail_expected(fmt::format("an operator or {}", closing));
}

void TokenParser::fail(const std::string& message) const {
  const Token& current = token();
  source_.fail(current.begin, current.kind == TokenKind::Invalid ? lexer_.problem() : message);
}

void TokenParser::fail_expected(std::string_view what, std::string_view remark) const {
  fail(fmt::format("expected {} before {}{}{}", what, describe(source_, token()),
                   remark.empty() ? "" : "; ", remark));
}

}  // namespace

FormulaId parse_tokens(FormulaPool& pool, const FormulaSource& source, const Lexer& lexer,
                       std::size_t first) {
  assert(first < lexer.tokens().size());
  return TokenParser(pool, source, lexer, first).parse();
}

}  // namespace nestor::logic
