#include "logic/value_atom.h"

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

struct Parts {
  std::string_view variable;
  std::string_view symbol;
  std::string_view value;
};

Parts parts_of(std::string_view text) {
  Parts parts;
  parts.variable = text.substr(0, name_length(text));
  std::string_view rest = text.substr(parts.variable.size());
  rest.remove_prefix(blanks(rest));
  parts.symbol = symbol_at(rest);
  rest.remove_prefix(parts.symbol.size());
  rest.remove_prefix(blanks(rest));
  parts.value = rest.substr(0, value_length(rest));
  return parts;
}

}  // namespace

std::size_t value_atom_length(std::string_view text) {
  const Parts parts = parts_of(text);
  if (parts.variable.empty() || parts.symbol.empty() || parts.value.empty()) {
    return 0;
  }
  return static_cast<std::size_t>(parts.value.data() + parts.value.size() - text.data());
}

std::string value_atom_text(std::string_view atom) {
  const Parts parts = parts_of(atom);
  return fmt::format("{} {} {}", parts.variable, parts.symbol == "==" ? "=" : parts.symbol,
                     parts.value);
}

}  // namespace nestor
