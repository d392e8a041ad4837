#pragma once

#include "base/debug_assert.h"
#include "base/error.h"
#include "base/input.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace nestor::base {

/// A set of bytes: the characters of names, blanks and the like.
class CharacterSet {
 public:
  constexpr explicit CharacterSet(std::string_view members) : has_() {
    for (const char c : members) {
      has_[static_cast<unsigned char>(c)] = true;
    }
  }
  static constexpr CharacterSet range(std::size_t first, std::size_t last) {
    CharacterSet set("");
    for (std::size_t c = first; c <= last; ++c) {
      set.has_[c] = true;
    }
    return set;
  }

  constexpr bool contains(char c) const { return has_[static_cast<unsigned char>(c)]; }

  friend constexpr CharacterSet operator|(CharacterSet a, const CharacterSet& b) {
    for (std::size_t c = 0; c < 256; ++c) {
      a.has_[c] = a.has_[c] || b.has_[c];
    }
    return a;
  }
  friend constexpr CharacterSet operator-(CharacterSet a, const CharacterSet& b) {
    for (std::size_t c = 0; c < 256; ++c) {
      a.has_[c] = a.has_[c] && !b.has_[c];
    }
    return a;
  }

 private:
  bool has_[256];
};

inline constexpr CharacterSet kDigits = CharacterSet::range('0', '9');
inline constexpr CharacterSet kLetters =
    CharacterSet::range('a', 'z') | CharacterSet::range('A', 'Z');

/// Line and column of a byte of a text that begins at `start`. Counts lines from the beginning, so
/// only for messages.
SourceLocation locate(std::string_view text, std::size_t offset, const SourceLocation& start);

/// A text and how far it has been read: what the readers of all languages share. Each language says
/// itself what its blanks, comments, names and symbols are. The text must outlive the scanner.
class Scanner {
 public:
  explicit Scanner(std::string_view text, SourceLocation start = {})
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), start_(std::move(start)) {}
  explicit Scanner(const Input& input) : Scanner(input.text(), {input.name(), 1, 1}) {}
  /// Reads a part of the input only; positions are those in the whole.
  Scanner(const Input& input, std::string_view part) : Scanner(input) {
    at_ = part.data();
    end_ = at_ + part.size();
  }

  std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }
  void move_to(std::size_t position) {
    NESTOR_DEBUG_ASSERT(position <= static_cast<std::size_t>(end_ - begin_));
    at_ = begin_ + position;
  }
  /// Of a text that was read.
  std::size_t position_of(std::string_view read) const {
    return static_cast<std::size_t>(read.data() - begin_);
  }
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  /// What was read since `position`.
  std::string_view since(std::size_t position) const {
    return {begin_ + position, this->position() - position};
  }

  bool at_end() const { return at_ == end_; }
  bool at(char c) const { return at_ != end_ && *at_ == c; }
  bool at(std::string_view text) const { return rest().starts_with(text); }
  bool at(const CharacterSet& set) const { return at_ != end_ && set.contains(*at_); }
  /// Zero behind the end.
  char peek(std::size_t ahead = 0) const { return ahead < rest().size() ? at_[ahead] : '\0'; }

  void skip(std::size_t length) {
    NESTOR_DEBUG_ASSERT(length <= rest().size());
    at_ += length;
  }
  /// Reads `wanted` if it comes next.
  bool take(char wanted) {
    const bool here = at(wanted);
    at_ += here ? 1 : 0;
    return here;
  }
  bool take(std::string_view wanted) {
    const bool here = at(wanted);
    at_ += here ? wanted.size() : 0;
    return here;
  }
  std::string_view take_while(const CharacterSet& set) {
    const char* first = at_;
    const char* here = first;  // not at_, which the loop would write each time
    while (here != end_ && set.contains(*here)) {
      ++here;
    }
    at_ = here;
    return {first, static_cast<std::size_t>(here - first)};
  }
  /// The first of the symbols that comes next, so longer ones stand before their beginnings; empty
  /// if none does.
  std::string_view take_symbol(std::span<const std::string_view> symbols) {
    for (const std::string_view symbol : symbols) {
      if (at(symbol.front()) && take(symbol)) {
        return symbol;
      }
    }
    return {};
  }
  /// The digits that come next as a number. Nothing, and nothing is read, if it is larger than
  /// `most`.
  std::optional<std::int64_t> take_number(std::int64_t most);
  /// Up to the end of the line.
  void skip_line();
  /// Up to and including `text`. False, and nothing is read, if it does not come any more.
  bool skip_past(std::string_view text);

  SourceLocation locate(std::size_t position) const;
  [[noreturn]] void fail(const std::string& message, std::size_t position,
                         Error::Kind kind = Error::Kind::Input) const;
  /// Throws Error (Unsupported) if some position in the text is no Offset.
  void require_offsets() const;

 private:
  const char* begin_;
  const char* at_;
  const char* end_;
  SourceLocation start_;  // of `begin_`
};

}  // namespace nestor::base
