#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace nestor::base {

struct SyntaxError {
  std::size_t at = 0;  ///< byte offset in the text
  std::string message;
};

/// The first place where `text` stops being one JSON value in UTF-8, and what stands there instead
/// of what; nothing if the text is well-formed.
///
/// The reader does not need this to read: simdjson does that, but says neither where a text is
/// broken nor why, and looks only at what it is asked for. So this runs when simdjson has refused
/// a text, and over the values of keys that the reader skips. Nesting is not limited.
std::optional<SyntaxError> find_syntax_error(std::string_view text);

}  // namespace nestor::base
