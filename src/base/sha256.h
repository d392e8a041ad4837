#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace nestor::base {

/// The SHA-256 of some bytes, in lower-case hex.
std::string sha256_hex(std::string_view bytes);

/// The same of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();

  void add(std::string_view bytes);
  std::string hex();

 private:
  struct Context;  // keeps nettle's header out of this one
  std::unique_ptr<Context> context_;
};

}  // namespace nestor::base
