#include "smv/lexer.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <limits>
#include <string>

namespace nestor::smv {

namespace {

// Longer symbols first, so that the first one that fits is the right one.
constexpr std::array<std::string_view, 39> kSymbols = {
    "<->", ":=", "..", "->", "<=", ">=", "!=", "<<", ">>", "::", "&&", "||", "(",
    ")",   "[",  "]",  "{",  "}",  ",",  ";",  ":",  "=",  "<",  ">",  "&",  "|",
    "!",   "+",  "-",  "*",  "/",  "?",  ".",  "~",  "@",  "%",  "^",  "\"", "'"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool starts_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool continues_word(char c) {
  return starts_word(c) || is_digit(c) || c == '$' || c == '#' || c == '-' || c == '\\';
}

class Tokenizer {
 public:
  explicit Tokenizer(const Input& input) : input_(input), text_(input.text()) {}

  std::vector<Token> run() {
    if (text_.size() > std::numeric_limits<std::uint32_t>::max()) {
      throw Error(Error::Kind::Unsupported, "the file is larger than 4 GiB", {input_.name(), 0, 0});
    }
    while (skip_blanks(), at_ < text_.size()) {
      read_token();
    }
    add(TokenKind::End, 0);
    return std::move(tokens_);
  }

 private:
  [[noreturn]] void fail(const std::string& message, std::size_t at) const {
    throw Error(Error::Kind::Input, message, input_.locate(at));
  }

  char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  bool starts_with(std::string_view prefix) const {
    return text_.substr(at_, prefix.size()) == prefix;
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
        ++at_;
      } else if (starts_with("--")) {
        const std::size_t end = text_.find('\n', at_);
        at_ = end == std::string_view::npos ? text_.size() : end;
      } else if (starts_with("/--")) {
        const std::size_t end = text_.find("--/", at_ + 3);
        if (end == std::string_view::npos) {
          fail("the comment that begins here has no end, expected '--/'", at_);
        }
        at_ = end + 3;
      } else {
        return;
      }
    }
  }

  void add(TokenKind kind, std::size_t length) {
    tokens_.push_back({kind, text_.substr(at_, length), static_cast<std::uint32_t>(at_)});
    at_ += length;
  }

  void read_token() {
    const char c = text_[at_];
    if (starts_word(c)) {
      std::size_t length = 1;
      while (continues_word(peek(length))) {
        ++length;
      }
      add(TokenKind::Word, length);
    } else if (is_digit(c)) {
      read_number();
    } else {
      read_symbol();
    }
  }

  /// `12`, or the constant of a word type: 0, perhaps u or s, a base, perhaps a width, `_`, digits.
  void read_number() {
    std::size_t length = 1;
    while (is_digit(peek(length))) {
      ++length;
    }
    if (peek(length) == '.' && is_digit(peek(length + 1))) {
      throw Error(Error::Kind::Unsupported, "real numbers are not supported", input_.locate(at_));
    }
    if (!starts_word(peek(length))) {
      add(TokenKind::Number, length);
      return;
    }
    while (std::isalnum(static_cast<unsigned char>(peek(length))) != 0 || peek(length) == '_') {
      ++length;
    }
    add(TokenKind::Literal, length);
  }

  void read_symbol() {
    for (const std::string_view symbol : kSymbols) {
      if (starts_with(symbol)) {
        add(TokenKind::Symbol, symbol.size());
        return;
      }
    }
    const auto byte = static_cast<unsigned char>(text_[at_]);
    fail(byte >= 0x20 && byte < 0x7f ? fmt::format("unexpected character '{}'", text_[at_])
                                     : fmt::format("unexpected byte 0x{:02x}", byte),
         at_);
  }

  const Input& input_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(const Input& input) {
  return Tokenizer(input).run();
}

}  // namespace nestor::smv
