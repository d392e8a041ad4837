#pragma once

#include "base/error.h"
#include "logic/lexer.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace nestor::logic {

/// A text and where it comes from, to say where an error is.
struct FormulaSource {
  std::string_view text;
  base::SourceLocation start;      ///< of the text's first byte
  std::string_view name_of_end{};  ///< `end of line` or `end of formula`

  [[noreturn]] void fail(std::size_t offset, const std::string& message) const;
};

/// A token as it is called in an error message: `'&'`, `end of line`.
std::string describe(const FormulaSource& source, const Token& token);

}  // namespace nestor::logic
