#pragma once

#include <string>
#include <string_view>

namespace nestor::base {

/// Appends `text` as a JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD, so the
/// result is valid JSON whatever the text is.
void append_json_string(std::string& out, std::string_view text);

/// The same for a text that needs no escapes, in one go.
inline void append_quoted(std::string& out, std::string_view text) {
  const std::size_t begin = out.size();
  out.append(text.size() + 2, '"');
  text.copy(out.data() + begin + 1, text.size());
}

std::string six_decimals(double value);

}  // namespace nestor::base
