#pragma once

#include "logic/parser.h"
#include "logic/printer.h"

#include <string>
#include <string_view>

namespace nestor::logic {

/// The atom as the parser names it; whatever else the formula is, as it is printed.
inline std::string read_atom(AtomDialect dialect, std::string_view text) {
  FormulaPool pool(AtomDialects(&dialect, 1));
  const FormulaId f = parse_formula(pool, text, {});
  return pool[f].op == Op::Atom ? std::string(pool.atom_name(f)) : to_string(pool, f);
}

}  // namespace nestor::logic
