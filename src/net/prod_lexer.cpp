#include "net/prod_lexer.h"

#include "base/scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace nestor::net {

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

constexpr base::CharacterSet kBlanks(" \t\r\n");
constexpr base::CharacterSet kBeginsName = base::kLetters | base::CharacterSet("_");
constexpr base::CharacterSet kInNames = kBeginsName | base::kDigits;

class Lexer : private base::Scanner {
 public:
  explicit Lexer(const base::Input& input) : base::Scanner(input) {}

  std::vector<ProdToken> read() {
    for (;;) {
      const ProdToken token = next();
      if (token.kind == Kind::Directive && token.text == "define") {
        define();
        continue;
      }
      if (token.kind == Kind::Directive &&
          std::ranges::find(kOfPreprocessor, token.text) != kOfPreprocessor.end()) {
        fail(fmt::format("'#{}' is not supported, of the preprocessor only '#define' is",
                         token.text),
             token.at, base::Error::Kind::Unsupported);
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
  /// Blanks and comments. With `in_line`, stops at the end of the line.
  void skip_blanks(bool in_line) {
    while (!at_end() && !(in_line && at('\n'))) {
      const std::size_t begin = position();
      if (at("//")) {
        skip_line();
      } else if (take("/*")) {
        if (!skip_past("*/")) {
          fail("comment without '*/'", begin);
        }
      } else if (!take("\\\n")) {
        if (!at(kBlanks)) {
          return;
        }
        skip(1);
      }
    }
  }

  ProdToken next(bool in_line = false) {
    skip_blanks(in_line);
    const std::size_t begin = position();
    if (at_end() || at('\n')) {
      return {Kind::End, {}, 0, begin, {}};
    }
    if (at(kBeginsName)) {
      return {Kind::Name, take_while(kInNames), 0, begin, {}};
    }
    if (at(base::kDigits)) {
      const std::optional<std::int64_t> value = take_number(kLargest);
      if (!value) {
        fail(fmt::format("number too large, the largest is {}", kLargest), begin);
      }
      return {Kind::Number, since(begin), *value, begin, {}};
    }
    if (take('#')) {
      skip_blanks(true);
      const std::string_view word = take_while(kInNames);
      if (word.empty()) {
        fail("'#' without a word", begin);
      }
      return {Kind::Directive, word, 0, begin, {}};
    }
    if (!take_symbol(kSymbols).empty()) {
      return {Kind::Symbol, since(begin), 0, begin, {}};
    }
    const auto byte = static_cast<unsigned char>(peek());
    fail(byte < 0x20 || byte >= 0x7f ? fmt::format("unexpected byte 0x{:02x}", byte)
                                     : fmt::format("unexpected '{}'", peek()),
         begin);
  }

  void define() {
    const ProdToken name = next(true);
    if (name.kind != Kind::Name) {
      fail("expected a name behind '#define'", name.at);
    }
    if (at('(')) {
      fail("macros with parameters are not supported", position(), base::Error::Kind::Unsupported);
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
        part.macro = macro->second.size() == 1 ? token.text : std::string_view();
        to.push_back(part);
      }
    }
    if (to.size() > kMostTokens) {
      fail(fmt::format("more than {} tokens after replacing macros", kMostTokens), at);
    }
  }

  std::map<std::string_view, std::vector<ProdToken>> macros_;
  std::vector<ProdToken> tokens_;
};

}  // namespace

std::vector<ProdToken> read_prod_tokens(const base::Input& input) {
  return Lexer(input).read();
}

std::vector<ProdConstant> read_prod_constants(const base::Input& input) {
  return Lexer(input).constants();
}

}  // namespace nestor::net
