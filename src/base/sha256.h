#pragma once

#include <string>
#include <string_view>

namespace nestor {

/// The SHA-256 of some bytes, in lower-case hex.
std::string sha256_hex(std::string_view bytes);

}  // namespace nestor
