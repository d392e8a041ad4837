#include "base/sha256.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <nettle/sha2.h>

namespace nestor {

std::string sha256_hex(std::string_view bytes) {
  sha256_ctx context;
  sha256_init(&context);
  // nettle takes bytes as std::uint8_t, which may alias char.
  sha256_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context, digest.size(), digest.data());
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace nestor
