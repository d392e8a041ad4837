#include "logic/formula_source.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor {

SourceLocation FormulaSource::locate(std::size_t offset) const {
  const std::string_view before = text.substr(0, offset);
  const std::size_t newlines =
      static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  SourceLocation location = start;
  location.line = std::max(location.line, 1U) + static_cast<std::uint32_t>(newlines);
  // npos + 1 is 0: without a newline the line begins with the text.
  const std::size_t line_begin = before.rfind('\n') + 1;
  const std::size_t first_column = newlines == 0 ? std::max(start.column, 1U) : 1;
  location.column = static_cast<std::uint32_t>(first_column + offset - line_begin);
  return location;
}

void FormulaSource::fail(std::size_t offset, const std::string& message) const {
  throw Error(Error::Kind::Input, message, locate(offset));
}

std::string describe(const FormulaSource& source, const Token& token) {
  constexpr std::size_t kLongest = 40;
  if (token.kind == TokenKind::End) {
    return std::string(source.name_of_end);
  }
  std::string_view text = source.text.substr(token.begin, token.end - token.begin);
  if (text.size() <= kLongest) {
    return fmt::format("'{}'", text);
  }
  // Not in the middle of a character of several bytes.
  std::size_t length = kLongest;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) {
    --length;
  }
  return fmt::format("'{}…'", text.substr(0, length));
}

}  // namespace nestor
