#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace nestor {

/// Appends `text` as a JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD, so the
/// result is valid JSON whatever the text is. (simdjson reads JSON but has no writer in Debian 12.)
void append_json_string(fmt::memory_buffer& out, std::string_view text);

std::string json_string(std::string_view text);

}  // namespace nestor
