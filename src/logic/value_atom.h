#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nestor {

/// The length of the comparison of a variable with a value that `text` begins with, `state = busy`
/// or `count[0] <= -3`; 0 if it is none. Formulas hold it as an ordinary atom whose name is its
/// text; a model with variables reads the name. docs/logic.md has the grammar.
std::size_t value_atom_length(std::string_view text);

/// Such an atom in one spelling.
std::string value_atom_text(std::string_view atom);

}  // namespace nestor
