#include "smv/syntax/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace nestor::smv {

namespace {

constexpr std::array<std::string_view, 24> kSections = {
    "MODULE",  "VAR",     "IVAR",      "FROZENVAR", "DEFINE",  "ARRAY",      "CONSTANTS", "ASSIGN",
    "INIT",    "TRANS",   "INVAR",     "FAIRNESS",  "JUSTICE", "COMPASSION", "SPEC",      "CTLSPEC",
    "LTLSPEC", "PSLSPEC", "INVARSPEC", "COMPUTE",   "ISA",     "PRED",       "MIRROR",    "CALL"};

constexpr std::array<std::string_view, 46> kReserved = {
    "TRUE",    "FALSE",   "case",    "esac",   "next",     "init",   "self",  "mod",
    "union",   "in",      "xor",     "xnor",   "boolean",  "word",   "array", "of",
    "process", "integer", "real",    "clock",  "unsigned", "signed", "EX",    "EF",
    "EG",      "AX",      "AF",      "AG",     "EBF",      "EBG",    "ABF",   "ABG",
    "toint",   "bool",    "word1",   "count",  "extend",   "resize", "max",   "min",
    "abs",     "uwconst", "swconst", "sizeof", "floor",    "NAME"};

using Words = std::unordered_set<std::string_view>;

const Words& sections() {
  static const Words words(kSections.begin(), kSections.end());
  return words;
}

const Words& reserved() {
  static const Words words = [] {
    Words all(kReserved.begin(), kReserved.end());
    all.insert(kSections.begin(), kSections.end());
    return all;
  }();
  return words;
}

constexpr std::size_t kLongestQuote = 40;

std::string described(const Token& token) {
  if (token.kind == TokenKind::End) {
    return "the end of the file";
  }
  return token.text.size() <= kLongestQuote
             ? fmt::format("'{}'", token.text)
             : fmt::format("'{}…'", token.text.substr(0, kLongestQuote));
}

}  // namespace

bool is_reserved(std::string_view word) {
  return reserved().contains(word);
}

Token TokenStream::take() {
  const Token token = peek();
  if (token.kind != TokenKind::End) {
    ++next_;
  }
  return token;
}

bool TokenStream::accept(std::string_view text) {
  if (!at(text)) {
    return false;
  }
  take();
  return true;
}

Token TokenStream::expect(std::string_view text, std::string_view where) {
  if (!at(text)) {
    fail_expected(fmt::format("'{}' {}", text, where));
  }
  return take();
}

Token TokenStream::expect_name(std::string_view what) {
  const Token& token = peek();
  if (token.kind != TokenKind::Word || is_reserved(token.text)) {
    fail_expected(what);
  }
  return take();
}

bool TokenStream::at_section(std::size_t ahead) const {
  const Token& token = peek(ahead);
  return token.kind == TokenKind::End ||
         (token.kind == TokenKind::Word && sections().contains(token.text));
}

Place TokenStream::end_of_last() const {
  const Token& last = tokens_[next_ == 0 ? 0 : next_ - 1];
  return last.at + static_cast<Place>(last.text.size());
}

void TokenStream::fail_expected(std::string_view expected) const {
  fail(fmt::format("found {}, expected {}", described(peek()), expected), peek().at);
}

void TokenStream::fail(const std::string& message, Place at, base::Error::Kind kind) const {
  throw base::Error(kind, message, input_.locate(at));
}

std::string TokenStream::quote(std::size_t first_token, std::size_t token_end) const {
  std::string text;
  for (std::size_t i = first_token; i < token_end; ++i) {
    const bool apart =
        i > first_token &&
        tokens_[i].at != tokens_[i - 1].at + static_cast<Place>(tokens_[i - 1].text.size());
    text.append(apart ? " " : "").append(tokens_[i].text);
  }
  return text;
}

}  // namespace nestor::smv
