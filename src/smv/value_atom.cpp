#include "smv/value_atom.h"

#include "base/scanner.h"
#include "logic/lexer.h"

#include <fmt/format.h>

#include <array>

namespace nestor::smv {

namespace {

constexpr base::CharacterSet kBlanks(" \t\r");

// Longer symbols stand before their beginnings.
constexpr std::array<std::string_view, 7> kSymbols = {"<=", ">=", "==", "!=", "=", "<", ">"};

class Reader : private base::Scanner {
 public:
  explicit Reader(std::string_view text) : base::Scanner(text) {}

  logic::AtomScan read(std::size_t word) {
    skip(word);
    const std::string_view variable = since(0);
    take_while(kBlanks);
    const std::string_view symbol = at("<->") ? std::string_view() : take_symbol(kSymbols);
    if (variable.empty() || symbol.empty()) {
      return {};
    }
    take_while(kBlanks);
    const std::string_view wanted = value();
    if (wanted.empty()) {
      return {};
    }
    return {position(), fmt::format("{} {} {}", variable, symbol == "==" ? "=" : symbol, wanted),
            "", 0};
  }

 private:
  /// A name, or a number with or without a sign.
  std::string_view value() {
    const std::size_t begin = position();
    take('-');
    if (!take_while(base::kDigits).empty()) {
      return since(begin);
    }
    move_to(begin);
    skip(logic::name_length(rest()));
    return since(begin);
  }
};

}  // namespace

logic::AtomScan value_atom_dialect(std::string_view text, std::size_t word) {
  return logic::may_begin_term(text, word) ? Reader(text).read(word) : logic::AtomScan();
}

}  // namespace nestor::smv
