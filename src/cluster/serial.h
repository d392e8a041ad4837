#pragma once

#include "base/error.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace nestor::cluster {

/// Numbers and texts one after the other, as bytes.
class SerialWriter {
 public:
  void number(std::uint64_t value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out_.append(bytes, sizeof value);
  }
  void real(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    number(bits);
  }
  void text(std::string_view value) {
    number(value.size());
    out_.append(value);
  }
  const std::string& bytes() const { return out_; }

 private:
  std::string out_;
};

/// Reads what SerialWriter has written.
class SerialReader {
 public:
  explicit SerialReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t number() {
    NESTOR_CHECK(bytes_.size() >= sizeof(std::uint64_t));
    std::uint64_t value = 0;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  double real() {
    const std::uint64_t bits = number();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  std::string text() {
    const std::uint64_t size = number();
    NESTOR_CHECK(bytes_.size() >= size);
    std::string value(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return value;
  }
  bool empty() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

}  // namespace nestor::cluster
