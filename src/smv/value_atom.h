#pragma once

#include "logic/atom_dialect.h"

#include <string_view>

namespace nestor::smv {

/// Comparisons of a variable with a value, `state = busy` or `count[0] <= -3`, for the parser of
/// formulas. Formulas hold such an atom as an ordinary one whose name is its text; a model with
/// variables reads the name. docs/logic.md has the grammar.
logic::AtomScan value_atom_dialect(std::string_view text, std::size_t word);

}  // namespace nestor::smv
