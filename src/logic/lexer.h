#pragma once

#include "base/scanner.h"
#include "logic/atom_dialect.h"
#include "logic/formula.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::logic {

enum class TokenKind : std::uint8_t {
  Name,    ///< a plain name; `X F G U R W` are names too, the parser knows where they are operators
  Quoted,  ///< a name in double quotes
  Atom,    ///< an atom of some dialect
  True,
  False,
  Unary,  ///< a negation or a joined quantifier such as `EX`
  Binary,
  Exists,
  ForAll,
  LeftParenthesis,
  RightParenthesis,
  LeftBracket,
  RightBracket,
  Bounds,  ///< `[2, 5]` behind one of the letters `F G O H`
  Assign,
  Invalid,  ///< cannot be read; Lexer::problem() says why
  End,
};

struct Token {
  TokenKind kind = TokenKind::End;
  Op op = Op::True;       ///< of Unary and Binary
  std::size_t begin = 0;  ///< where in the text
  std::size_t end = 0;    ///< one past its last byte
  std::size_t atom = 0;   ///< of Atom: its place in Lexer::atoms()
};

/// Cuts a text into the tokens of one formula after the other. It never throws: a token that cannot
/// be read only matters if the parser gets that far, so that the leftmost error is the one
/// reported.
class Lexer : private base::Scanner {
 public:
  enum class Newline { EndsFormula, Blank };

  /// The text must outlive the lexer.
  Lexer(std::string_view text, Newline newline, AtomDialects dialects)
      : base::Scanner(text), text_(text), newline_(newline), dialects_(dialects) {}

  using base::Scanner::at_end;
  /// Reads the next line, or the whole text where newlines are blank.
  void read_formula();

  /// Of the last read_formula(). The last token, and only it, is End or Invalid. End stands right
  /// behind the token before it, where something is missing if something is missing.
  const std::vector<Token>& tokens() const { return tokens_; }
  const std::string& problem() const { return problem_; }
  /// The names of its Atom tokens.
  const std::vector<std::string>& atoms() const { return atoms_; }

 private:
  void read_word();
  void read_quoted();
  bool read_atom(std::size_t word);
  bool read_symbol();
  bool read_bounds();
  void add(TokenKind kind, Op op, std::size_t length);
  void reject(std::size_t at, std::string problem);
  void reject_character();

  std::string_view text_;
  Newline newline_;
  AtomDialects dialects_;
  std::vector<Token> tokens_;
  std::vector<std::string> atoms_;
  std::string problem_;
};

/// The length of the plain name that `text` begins with, index parts included; 0 if it is none.
std::size_t name_length(std::string_view text);
/// True if behind the `word` letters that `text` begins with, and blanks, there is a bracket, a
/// comparison or an arithmetic operator. Dialects of atoms ask it first: most names are just that.
bool may_begin_term(std::string_view text, std::size_t word);
/// The length of the quoted name that `text` begins with; 0 if it cannot be read.
std::size_t quoted_length(std::string_view text);
/// The name that a Quoted token stands for; `text` includes the quotes.
std::string unquote(std::string_view text);

/// `name` as it must be written to be read as this name: plain where possible, else quoted.
std::string quote_if_needed(std::string_view name);

}  // namespace nestor::logic
