#include "base/json_syntax.h"

#include "base/simdjson.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <vector>

namespace nestor::base {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20;
}
/// What a number or a literal goes on with, for showing a broken one whole.
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
         c == '+' || c == '-';
}

/// How many bytes a character has whose first byte is `c`.
std::size_t character_size(char c) {
  const auto first = static_cast<unsigned char>(c);
  return first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

std::optional<std::size_t> find_bad_utf8(std::string_view text) {
  if (simdjson::validate_utf8(text.data(), text.size())) {
    return std::nullopt;
  }
  for (std::size_t at = 0; at < text.size(); at += character_size(text[at])) {
    const std::string_view character = text.substr(at, character_size(text[at]));
    if (!simdjson::validate_utf8(character.data(), character.size())) {
      return at;
    }
  }
  return std::nullopt;
}

class SyntaxChecker {
 public:
  explicit SyntaxChecker(std::string_view text) : text_(text) {}

  std::optional<SyntaxError> check() {
    while (!error_ && !done_) {
      skip_blanks();
      step();
    }
    return std::move(error_);
  }

 private:
  enum class Expect { Value, FirstElement, FirstKey, Key, Colon, AfterElement, AfterMember, End };

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }

  void skip_blanks() {
    while (!at_end() && is_blank(text_[at_])) {
      ++at_;
    }
  }

  bool accept(char c) {
    if (at_end() || text_[at_] != c) {
      return false;
    }
    ++at_;
    return true;
  }

  void fail(std::size_t at, std::string message) {
    if (!error_) {
      error_ = SyntaxError{at, std::move(message)};
    }
  }

  std::string found() const {
    if (at_end()) {
      return "end of file";
    }
    if (text_.substr(at_).starts_with("\xEF\xBB\xBF")) {
      return "a byte order mark";  // would print as nothing
    }
    const char c = text_[at_];
    if (is_control(c) || c == '\x7f') {
      return fmt::format("byte 0x{:02X}", static_cast<unsigned char>(c));
    }
    return fmt::format("'{}'", text_.substr(at_, character_size(c)));
  }

  void expected(const char* what) {
    fail(at_, fmt::format("found {}, expected {}", found(), what));
  }

  void step() {
    switch (expect_) {
      case Expect::FirstElement:
        if (accept(']')) {
          return close();
        }
        return value("a value or ']'");
      case Expect::Value:
        return value("a value");
      case Expect::FirstKey:
        if (accept('}')) {
          return close();
        }
        return key("a key in double quotes or '}'");
      case Expect::Key:
        return key("a key in double quotes");
      case Expect::Colon:
        expect_ = Expect::Value;
        return accept(':') ? void() : expected("':'");
      case Expect::AfterElement:
        if (accept(']')) {
          return close();
        }
        expect_ = Expect::Value;
        return accept(',') ? void() : expected("',' or ']'");
      case Expect::AfterMember:
        if (accept('}')) {
          return close();
        }
        expect_ = Expect::Key;
        return accept(',') ? void() : expected("',' or '}'");
      case Expect::End:
        done_ = true;
        return at_end() ? void() : expected("the end of the file");
    }
  }

  void key(const char* what) {
    if (peek() != '"') {
      return expected(what);
    }
    string();
    expect_ = Expect::Colon;
  }

  void value(const char* what) {
    if (accept('{')) {
      open_.push_back('{');
      expect_ = Expect::FirstKey;
      return;
    }
    if (accept('[')) {
      open_.push_back('[');
      expect_ = Expect::FirstElement;
      return;
    }
    const char c = peek();
    if (c == '"') {
      string();
    } else if (c == '-' || is_digit(c)) {
      number();
    } else if (is_word(c)) {
      literal();
    } else {
      return expected(what);
    }
    after_value();
  }

  void close() {
    assert(!open_.empty());
    open_.pop_back();
    after_value();
  }

  void after_value() {
    expect_ = open_.empty()         ? Expect::End
              : open_.back() == '{' ? Expect::AfterMember
                                    : Expect::AfterElement;
  }

  void string() {
    const std::size_t start = at_;
    ++at_;
    while (!error_) {
      if (at_end()) {
        return fail(start, "string without a closing quote");
      }
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return;
      }
      if (is_control(c)) {
        return fail(at_, fmt::format("byte 0x{:02X} in a string, expected it escaped",
                                     static_cast<unsigned char>(c)));
      }
      if (c == '\\') {
        escape();
      } else {
        ++at_;
      }
    }
  }

  void escape() {
    static constexpr std::string_view kShort = "\"\\/bfnrt";
    const std::size_t start = at_;
    const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (letter != 'u') {
      if (letter == '\0' || kShort.find(letter) == std::string_view::npos) {
        return fail(start,
                    "unknown escape in a string, expected one of \\\" \\\\ \\/ \\b \\f \\n \\r "
                    "\\t \\u");
      }
      at_ += 2;
      return;
    }
    const std::optional<unsigned> first = code_unit();
    if (!first) {
      return fail(start, "\\u in a string, expected four hexadecimal digits after it");
    }
    const bool leads = *first >= 0xD800 && *first < 0xDC00;
    const bool trails = *first >= 0xDC00 && *first < 0xE000;
    const std::optional<unsigned> second = leads ? code_unit() : std::nullopt;
    if (trails || (leads && !(second && *second >= 0xDC00 && *second < 0xE000))) {
      fail(start, "half of a surrogate pair in a string, expected both halves");
    }
  }

  /// The value of `\uXXXX` at at_, which then lies behind it.
  std::optional<unsigned> code_unit() {
    const std::string_view unit = text_.substr(at_, 6);
    if (unit.size() < 6 || unit[0] != '\\' || unit[1] != 'u' ||
        !std::all_of(unit.begin() + 2, unit.end(), is_hex)) {
      return std::nullopt;
    }
    at_ += 6;
    return static_cast<unsigned>(std::stoul(std::string(unit.substr(2)), nullptr, 16));
  }

  bool digits() {
    const std::size_t start = at_;
    while (is_digit(peek())) {
      ++at_;
    }
    return at_ != start;
  }

  void number() {
    const std::size_t start = at_;
    accept('-');
    bool good = accept('0') || digits();
    if (good && accept('.')) {
      good = digits();
    }
    if (good && (accept('e') || accept('E'))) {
      if (!accept('+')) {
        accept('-');
      }
      good = digits();
    }
    if (!good || is_word(peek())) {
      at_ = start;
      fail(start, fmt::format("malformed number '{}'", word()));
    }
  }

  void literal() {
    const std::string_view found = word();
    if (found == "true" || found == "false" || found == "null") {
      at_ += found.size();
      return;
    }
    fail(at_, fmt::format("found '{}', expected a value", found));
  }

  std::string_view word() const {
    static constexpr std::size_t kShown = 40;
    std::size_t last = at_;
    while (last < text_.size() && last - at_ < kShown && is_word(text_[last])) {
      ++last;
    }
    return text_.substr(at_, last - at_);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Expect expect_ = Expect::Value;
  bool done_ = false;
  std::vector<char> open_;  // the brackets not closed yet
  std::optional<SyntaxError> error_;
};

}  // namespace

std::optional<SyntaxError> find_syntax_error(std::string_view text) {
  std::optional<SyntaxError> error = SyntaxChecker(text).check();
  const std::optional<std::size_t> bad_utf8 = find_bad_utf8(text);
  if (bad_utf8 && (!error || *bad_utf8 <= error->at)) {
    return SyntaxError{*bad_utf8, fmt::format("byte 0x{:02X} is not UTF-8",
                                              static_cast<unsigned char>(text[*bad_utf8]))};
  }
  return error;
}

}  // namespace nestor::base
