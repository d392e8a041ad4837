#include "net/prod_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

namespace nestor {

namespace {

using Kind = ProdToken::Kind;

constexpr std::size_t kMostTokens = 10'000'000;
constexpr std::int64_t kLargest = 1'000'000'000;

// Longer symbols stand before their beginnings.
constexpr std::array<std::string_view, 29> kSymbols = {
    "<..>", "<.", ".>", "..", "&&", "||", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*",
    "/",    "%",  "!",  "?",  ":",  "=",  "(",  ")",  "{",  "}",  ",", ";", "[", "]"};

// What the C preprocessor, which PROD runs first, knows besides '#define'.
constexpr std::array<std::string_view, 11> kOfPreprocessor = {"if",   "ifdef", "ifndef", "elif",
                                                              "else", "endif", "undef",  "include",
                                                              "line", "error", "pragma"};

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Lexer {
 public:
  explicit Lexer(const Input& input) : input_(input), text_(input.text()) {}

  std::vector<ProdToken> read() {
    for (;;) {
      const ProdToken token = next();
      if (token.kind == Kind::Directive && token.text == "define") {
        define();
        continue;
      }
      if (token.kind == Kind::Directive &&
          std::ranges::find(kOfPreprocessor, token.text) != kOfPreprocessor.end()) {
        throw Error(Error::Kind::Unsupported,
                    fmt::format("'#{}' is not supported, of the preprocessor only '#define' is",
                                token.text),
                    input_.locate(token.at));
      }
      add(token, tokens_, token.at);
      if (token.kind == Kind::End) {
        return std::move(tokens_);
      }
    }
  }
  std::vector<ProdConstant> constants() {
    read();
    std::vector<ProdConstant> found;
    for (const auto& [name, body] : macros_) {
      if (body.size() == 1 && body[0].kind == Kind::Number) {
        found.push_back({std::string(name), body[0].value});
      }
    }
    return found;
  }

 private:
  [[noreturn]] void fail(std::size_t at, const std::string& message) const {
    throw Error(Error::Kind::Input, message, input_.locate(at));
  }

  /// Blanks and comments. With `in_line`, stops at the end of the line.
  void skip(bool in_line) {
    while (position_ < text_.size()) {
      const std::string_view rest = text_.substr(position_);
      if (rest.front() == '\n' && in_line) {
        return;
      }
      if (rest.starts_with("\\\n")) {
        position_ += 2;
      } else if (rest.starts_with("//")) {
        position_ = std::min(text_.find('\n', position_), text_.size());
      } else if (rest.starts_with("/*")) {
        const std::size_t end = text_.find("*/", position_ + 2);
        if (end == std::string_view::npos) {
          fail(position_, "comment without '*/'");
        }
        position_ = end + 2;
      } else if (std::string_view(" \t\r\n").find(rest.front()) != std::string_view::npos) {
        ++position_;
      } else {
        return;
      }
    }
  }

  ProdToken next(bool in_line = false) {
    skip(in_line);
    const std::size_t at = position_;
    if (at == text_.size() || text_[at] == '\n') {
      return {Kind::End, {}, 0, at};
    }
    const char c = text_[at];
    if (is_name_start(c)) {
      return {Kind::Name, take_word(), 0, at};
    }
    if (is_digit(c)) {
      return number();
    }
    if (c == '#') {
      ++position_;
      skip(true);
      const std::string_view word = take_word();
      if (word.empty()) {
        fail(at, "'#' without a word");
      }
      return {Kind::Directive, word, 0, at};
    }
    for (const std::string_view symbol : kSymbols) {
      if (text_.substr(at).starts_with(symbol)) {
        position_ += symbol.size();
        return {Kind::Symbol, text_.substr(at, symbol.size()), 0, at};
      }
    }
    const auto byte = static_cast<unsigned char>(c);
    fail(at, byte < 0x20 || byte >= 0x7f ? fmt::format("unexpected byte 0x{:02x}", byte)
                                         : fmt::format("unexpected '{}'", c));
  }

  std::string_view take_word() {
    const std::size_t at = position_;
    while (position_ < text_.size() &&
           (is_name_start(text_[position_]) || is_digit(text_[position_]))) {
      ++position_;
    }
    return text_.substr(at, position_ - at);
  }

  ProdToken number() {
    ProdToken token{Kind::Number, {}, 0, position_};
    const auto [end, problem] =
        std::from_chars(text_.data() + position_, text_.data() + text_.size(), token.value);
    if (problem != std::errc() || token.value > kLargest) {
      fail(position_, fmt::format("number too large, the largest is {}", kLargest));
    }
    const auto length = static_cast<std::size_t>(end - (text_.data() + position_));
    token.text = text_.substr(position_, length);
    position_ += length;
    return token;
  }

  void define() {
    const ProdToken name = next(true);
    if (name.kind != Kind::Name) {
      fail(name.at, "expected a name behind '#define'");
    }
    if (position_ < text_.size() && text_[position_] == '(') {
      throw Error(Error::Kind::Unsupported, "macros with parameters are not supported",
                  input_.locate(position_));
    }
    std::vector<ProdToken> body;
    for (ProdToken token = next(true); token.kind != Kind::End; token = next(true)) {
      add(token, body, token.at);
    }
    macros_[name.text] = std::move(body);
  }

  /// Adds the token, or what the macro of this name stands for; its tokens are expanded already.
  void add(const ProdToken& token, std::vector<ProdToken>& to, std::size_t at) {
    const auto macro = token.kind == Kind::Name ? macros_.find(token.text) : macros_.end();
    if (macro == macros_.end()) {
      to.push_back(token);
    } else {
      for (ProdToken part : macro->second) {
        part.at = at;
        to.push_back(part);
      }
    }
    if (to.size() > kMostTokens) {
      fail(at, fmt::format("more than {} tokens after replacing macros", kMostTokens));
    }
  }

  const Input& input_;
  std::string_view text_;
  std::size_t position_ = 0;
  std::map<std::string_view, std::vector<ProdToken>> macros_;
  std::vector<ProdToken> tokens_;
};

}  // namespace

std::vector<ProdToken> read_prod_tokens(const Input& input) {
  return Lexer(input).read();
}

std::vector<ProdConstant> read_prod_constants(const Input& input) {
  return Lexer(input).constants();
}

}  // namespace nestor
