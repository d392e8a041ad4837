#pragma once

#include "base/input.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace nestor::smv {

enum class TokenKind : std::uint8_t { Word, Number, Literal, Symbol, End };

/// A piece of the text. Keywords are words: the parser knows where they are keywords.
struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  std::uint32_t at = 0;  ///< offset of its first byte

  /// The first characters are compared first: parsers ask for one operator after the other.
  bool is(std::string_view what) const {
    return (kind == TokenKind::Word || kind == TokenKind::Symbol) && text.front() == what.front() &&
           text == what;
  }
};

/// Cuts a whole file into tokens; the last one is End. A Literal is a constant of a word type, such
/// as `0ud8_255`. Comments are `--` to the end of the line, and `/--` to `--/`. Throws Error
/// (Input, Unsupported). The views are of the input's text.
std::vector<Token> tokenize(const base::Input& input);

}  // namespace nestor::smv
