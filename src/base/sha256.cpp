#include "base/sha256.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <nettle/sha2.h>

namespace nestor::base {

struct Sha256::Context {
  sha256_ctx nettle;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  sha256_init(&context_->nettle);
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  // nettle takes bytes as std::uint8_t, which may alias char.
  sha256_update(&context_->nettle, bytes.size(),
                reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

std::string Sha256::hex() {
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context_->nettle, digest.size(), digest.data());
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

}  // namespace nestor::base
