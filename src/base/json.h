#pragma once

#include <fmt/format.h>

#include <string_view>

namespace nestor {

/// Appends `text` as a JSON string, quotes included. `text` must be valid UTF-8.
void append_json_string(fmt::memory_buffer& out, std::string_view text);

}  // namespace nestor
