#include "smv/syntax/lexer.h"

#include "base/scanner.h"

#include <fmt/format.h>

#include <array>

namespace nestor::smv {

namespace {

// Longer symbols first, so that the first one that fits is the right one.
constexpr std::array<std::string_view, 39> kSymbols = {
    "<->", ":=", "..", "->", "<=", ">=", "!=", "<<", ">>", "::", "&&", "||", "(",
    ")",   "[",  "]",  "{",  "}",  ",",  ";",  ":",  "=",  "<",  ">",  "&",  "|",
    "!",   "+",  "-",  "*",  "/",  "?",  ".",  "~",  "@",  "%",  "^",  "\"", "'"};

constexpr base::CharacterSet kBlanks(" \t\n\r\f\v");
constexpr base::CharacterSet kBeginsWord = base::kLetters | base::CharacterSet("_");
constexpr base::CharacterSet kInWords = kBeginsWord | base::kDigits | base::CharacterSet("$#-\\");
constexpr base::CharacterSet kInLiterals = kBeginsWord | base::kDigits;

class Tokenizer : private base::Scanner {
 public:
  explicit Tokenizer(const base::Input& input) : base::Scanner(input) { require_offsets(); }

  std::vector<Token> run() {
    while (skip_blanks(), !at_end()) {
      const std::size_t begin = position();
      const TokenKind kind = read_token();
      add(kind, begin);
    }
    add(TokenKind::End, position());
    return std::move(tokens_);
  }

 private:
  void skip_blanks() {
    for (;;) {
      take_while(kBlanks);
      if (at("--")) {
        skip_line();
      } else if (at("/--")) {
        const std::size_t begin = position();
        skip(3);
        if (!skip_past("--/")) {
          fail("the comment that begins here has no end, expected '--/'", begin);
        }
      } else {
        return;
      }
    }
  }

  void add(TokenKind kind, std::size_t begin) {
    tokens_.push_back({kind, since(begin), static_cast<std::uint32_t>(begin)});
  }

  TokenKind read_token() {
    if (at(kBeginsWord)) {
      take_while(kInWords);
      return TokenKind::Word;
    }
    if (at(base::kDigits)) {
      return read_number();
    }
    if (take_symbol(kSymbols).empty()) {
      const auto byte = static_cast<unsigned char>(peek());
      fail(byte >= 0x20 && byte < 0x7f ? fmt::format("unexpected character '{}'", peek())
                                       : fmt::format("unexpected byte 0x{:02x}", byte),
           position());
    }
    return TokenKind::Symbol;
  }

  /// `12`, or the constant of a word type: 0, perhaps u or s, a base, perhaps a width, `_`, digits.
  TokenKind read_number() {
    const std::size_t begin = position();
    take_while(base::kDigits);
    if (at('.') && base::kDigits.contains(peek(1))) {
      fail("real numbers are not supported", begin, base::Error::Kind::Unsupported);
    }
    return take_while(kInLiterals).empty() ? TokenKind::Number : TokenKind::Literal;
  }

  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(const base::Input& input) {
  return Tokenizer(input).run();
}

}  // namespace nestor::smv
