#pragma once

#include <string>
#include <string_view>

namespace nestor::base {

/// Appends `text` as a JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD, so the
/// result is valid JSON whatever the text is.
void append_json_string(std::string& out, std::string_view text);

}  // namespace nestor::base
