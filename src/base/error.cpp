#include "base/error.h"

#include <fmt/format.h>

#include <stdexcept>

std::string nestor::to_string(const SourceLocation& location) {
  if (location.line == 0) {
    return location.file;
  }
  if (location.column == 0) {
    return fmt::format("{}:{}", location.file, location.line);
  }
  return fmt::format("{}:{}:{}", location.file, location.line, location.column);
}

nestor::Error::Error(Kind kind, std::string message, SourceLocation location)
    : kind_(kind), message_(std::move(message)), location_(std::move(location)) {
  const std::string place = to_string(location_);
  formatted_ = place.empty() ? fmt::format("error: {}", message_)
                             : fmt::format("{}: error: {}", place, message_);
}

nestor::Error::Error(const Error&) = default;
nestor::Error& nestor::Error::operator=(const Error&) = default;
nestor::Error::~Error() = default;

namespace nestor::base {

namespace detail {
void check_failed(const char* condition, const char* file, int line) {
  throw std::logic_error(fmt::format("internal check failed: {} ({}:{})", condition, file, line));
}
}  // namespace detail

}  // namespace nestor::base
