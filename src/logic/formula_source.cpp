#include "logic/formula_source.h"

#include "base/scanner.h"

#include <fmt/format.h>

namespace nestor::logic {

void FormulaSource::fail(std::size_t offset, const std::string& message) const {
  throw base::Error(base::Error::Kind::Input, message, base::locate(text, offset, start));
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

}  // namespace nestor::logic
