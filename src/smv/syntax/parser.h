#pragma once

#include "smv/syntax/lexer.h"
#include "smv/syntax/syntax.h"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nestor::smv {

/// The tokens of a file and where reading has got to.
class TokenStream {
 public:
  explicit TokenStream(const base::Input& input) : input_(input), tokens_(tokenize(input)) {}

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
  }
  Token take();
  bool at(std::string_view text) const { return peek().is(text); }
  bool accept(std::string_view text);
  Token expect(std::string_view text, std::string_view where);
  Token expect_name(std::string_view what);
  /// A keyword that begins a section, or the end of the file.
  bool at_section(std::size_t ahead = 0) const;
  Place end_of_last() const;  ///< one past the last token taken

  /// `found …, expected …` at the next token.
  [[noreturn]] void fail_expected(std::string_view expected) const;
  [[noreturn]] void fail(const std::string& message, Place at,
                         base::Error::Kind kind = base::Error::Kind::Input) const;
  /// The text from `begin` to `end` without comments, every run of blanks as one.
  std::string quote(std::size_t first_token, std::size_t token_end) const;
  std::size_t position() const { return next_; }
  /// Reads again from a position where reading was before.
  void go_back(std::size_t position) { next_ = position; }
  /// The next token stands right behind the last one taken, with no blank between.
  bool is_adjacent() const { return peek().at == end_of_last(); }

 private:
  const base::Input& input_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
};

/// Words that are no names.
bool is_reserved(std::string_view word);

struct Dialect;

/// Reads expressions by precedence (docs/smv.md), those of CTL included. What nests by brackets or
/// prefixes uses the stack and is limited in depth; chains of operators do not.
class ExpressionParser {
 public:
  ExpressionParser(TokenStream& tokens, FileSyntax& file);

  ExprId expression();
  /// The same with the operators of LTL.
  ExprId ltl_expression();
  /// A property of PSL, with its own precedence. Throws Error (Unsupported) at an operator that LTL
  /// cannot say, its name as the message.
  ExprId psl_expression();
  /// A name with dots and indices, what can be assigned to.
  ExprId designator();
  /// A bound of a range: an expression that binds more tightly than comparison.
  ExprId bound();

 private:
  ExprId binary(int least_precedence);
  ExprId unary();
  ExprId temporal_prefix();
  ExprId primary();
  ExprId postfix(ExprId base);
  ExprId case_expression(Place at);
  ExprId until(Place at, bool exists);
  ExprId ltl_prefix();
  std::string_view ltl_infix() const;
  ExprId psl_prefix();
  ExprId psl_next(const Token& op);
  ExprId psl_until(Place at);
  ExprId psl_infix(ExprId left, int least_precedence);
  ExprId for_all(Place at);
  std::vector<ExprId> values_of_for_all();
  ExprId value_of_for_all(const Token& name);
  [[noreturn]] void refuse(const Token& op) const;
  struct Bounds {
    ExprId low;
    ExprId high;
  };
  Bounds range_of(const Token& op);
  Bounds constant_bounds(std::string_view between);
  ExprId number(const Token& token);
  ExprId function_call(const Token& name);
  ExprId make(Syntax kind, Place at, std::initializer_list<ExprId> children,
              std::string_view text = {}, std::int64_t value = 0);
  ExprId make(Syntax kind, Place at, std::span<const ExprId> children, std::string_view text = {});
  ExprId make(PslOperator op, Place at, const Bounds& bounds,
              std::initializer_list<ExprId> operands);
  ExprId read_in(const Dialect& dialect);

  TokenStream& tokens_;
  FileSyntax& file_;
  int depth_ = 0;
  const Dialect* dialect_;
  bool set_may_follow_ = false;  ///< in PSL: a brace here begins a set, no regular expression
  /// What the name of a `forall` that is being read stands for.
  std::vector<std::pair<std::string_view, ExprId>> replicated_;
  std::size_t copies_ = 1;  ///< of what is being read
};

}  // namespace nestor::smv
