#pragma once

#include "logic/parser.h"
#include "logic/printer.h"

#include <string>
#include <string_view>

namespace nestor::logic {

/// The atom as the parser names it; whatever else the formula is, as it is printed, with its atoms
/// in brackets.
inline std::string read_atom(AtomDialect dialect, std::string_view text) {
  FormulaPool pool(AtomDialects(&dialect, 1));
  const FormulaId f = parse_formula(pool, text, {});
  if (pool[f].op == Op::Atom) {
    return std::string(pool.atom_name(f));
  }
  std::string atoms;
  for (const FormulaId part : subformulas(pool, f)) {
    if (pool[part].op == Op::Atom) {
      atoms += (atoms.empty() ? "" : "; ") + std::string(pool.atom_name(part));
    }
  }
  return to_string(pool, f) + " [" + atoms + "]";
}

}  // namespace nestor::logic
