#include "smv/value_atom.h"

#include "logic/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nestor {

namespace {

// Longer symbols stand before their beginnings.
constexpr std::array<std::string_view, 7> kSymbols = {"<=", ">=", "==", "!=", "=", "<", ">"};

std::size_t blanks(std::string_view text) {
  return std::min(text.find_first_not_of(" \t\r"), text.size());
}

std::string_view symbol_at(std::string_view text) {
  if (!text.starts_with("<->")) {
    for (const std::string_view symbol : kSymbols) {
      if (text.starts_with(symbol)) {
        return symbol;
      }
    }
  }
  return {};
}

/// A name, or a number with or without a sign.
std::size_t value_length(std::string_view text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  std::size_t end = sign;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') {
    ++end;
  }
  return end > sign ? end : name_length(text);
}

}  // namespace

AtomScan value_atom_dialect(std::string_view text) {
  const std::string_view variable = text.substr(0, name_length(text));
  std::string_view rest = text.substr(variable.size());
  rest.remove_prefix(blanks(rest));
  const std::string_view symbol = symbol_at(rest);
  rest.remove_prefix(symbol.size());
  rest.remove_prefix(blanks(rest));
  const std::string_view value = rest.substr(0, value_length(rest));
  if (variable.empty() || symbol.empty() || value.empty()) {
    return {};
  }
  AtomScan scan;
  scan.length = static_cast<std::size_t>(value.data() + value.size() - text.data());
  scan.name = fmt::format("{} {} {}", variable, symbol == "==" ? "=" : symbol, value);
  return scan;
}

}  // namespace nestor
