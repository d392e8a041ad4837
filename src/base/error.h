#pragma once

#include <cstdint>
#include <exception>
#include <string>

namespace nestor::base {

/// A place in an input. Lines and columns count from 1; 0 means unknown. Columns count bytes.
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// `file:line:column`, without the parts that are unknown.
std::string to_string(const SourceLocation& location);

/// The run cannot go on. Thrown by libraries, caught only in the driver.
/// The message is lower case, without a full stop, with names in single quotes.
class Error : public std::exception {
 public:
  enum class Kind {
    Usage,        ///< the command line asks for something that does not exist
    Input,        ///< a file is broken
    Unsupported,  ///< a file is right, but uses what Nestor cannot do
    System,       ///< a file cannot be read or written
  };

  Error(Kind kind, std::string message, SourceLocation location = {});

  Kind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  const SourceLocation& location() const { return location_; }
  /// `file:line:column: error: message`
  const char* what() const noexcept override { return formatted_.c_str(); }

 private:
  Kind kind_;
  std::string message_;
  SourceLocation location_;
  std::string formatted_;
};

namespace detail {
[[noreturn]] void check_failed(const char* condition, const char* file, int line);
}

}  // namespace nestor::base

/// A cheap check that guards a verdict: stays on in release builds.
#define NESTOR_CHECK(condition)       \
  ((condition) ? static_cast<void>(0) \
               : ::nestor::base::detail::check_failed(#condition, __FILE__, __LINE__))
