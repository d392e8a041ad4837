#pragma once

#include <cstdint>
#include <exception>
#include <nestor/export.h>
#include <string>

namespace nestor {

/// A place in an input. Lines and columns count from 1; 0 means unknown. Columns count bytes.
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// `file:line:column`, without the parts that are unknown.
NESTOR_API std::string to_string(const SourceLocation& location);

/// What was asked for cannot be done: the only exception of this library, but for std::bad_alloc
/// and, if Nestor itself is wrong, std::logic_error. Running out of time, steps or memory is no
/// error: the verdict is then unknown.
///
/// The message is lower case, without a full stop, with names in single quotes.
class NESTOR_API Error : public std::exception {
 public:
  enum class Kind {
    Usage,        ///< something is asked for that does not exist
    Input,        ///< a file, a formula or a model is broken
    Unsupported,  ///< it is right, but uses what Nestor cannot do
    System,       ///< a file cannot be read or written
  };

  Error(Kind kind, std::string message, SourceLocation location = {});
  Error(const Error&);
  Error& operator=(const Error&);
  ~Error() override;

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

}  // namespace nestor
