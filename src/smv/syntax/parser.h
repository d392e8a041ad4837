#pragma once

#include "smv/syntax/lexer.h"
#include "smv/syntax/syntax.h"

#include <initializer_list>
#include <string>
#include <string_view>
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
  bool at_section() const;
  Place end_of_last() const;  ///< one past the last token taken

  /// `found …, expected …` at the next token.
  [[noreturn]] void fail_expected(std::string_view expected) const;
  [[noreturn]] void fail(const std::string& message, Place at,
                         base::Error::Kind kind = base::Error::Kind::Input) const;
  /// The text from `begin` to `end` without comments, every run of blanks as one.
  std::string quote(std::size_t first_token, std::size_t token_end) const;
  std::size_t position() const { return next_; }

 private:
  const base::Input& input_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
};

/// Words that are no names.
bool is_reserved(std::string_view word);

/// Reads expressions by precedence (docs/smv.md), those of CTL included. What nests by brackets or
/// prefixes uses the stack and is limited in depth; chains of operators do not.
class ExpressionParser {
 public:
  ExpressionParser(TokenStream& tokens, FileSyntax& file) : tokens_(tokens), file_(file) {}

  ExprId expression();
  /// A name with dots and indices, what can be assigned to.
  ExprId designator();
  /// A bound of a range: an expression that binds more tightly than comparison.
  ExprId bound();

 private:
  ExprId binary(int least_precedence);
  ExprId unary();
  ExprId primary();
  ExprId postfix(ExprId base);
  ExprId case_expression(Place at);
  ExprId until(Place at, bool exists);
  struct Bounds {
    ExprId low;
    ExprId high;
  };
  Bounds range_of(const Token& op);
  ExprId number(const Token& token);
  ExprId function_call(const Token& name);
  ExprId make(Syntax kind, Place at, std::initializer_list<ExprId> children,
              std::string_view text = {}, std::int64_t value = 0);
  ExprId make(Syntax kind, Place at, const std::vector<ExprId>& children,
              std::string_view text = {});

  TokenStream& tokens_;
  FileSyntax& file_;
  int depth_ = 0;
};

}  // namespace nestor::smv
