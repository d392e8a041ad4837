#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace nestor::logic {

/// What a text begins with, seen as an atom of some dialect.
struct AtomScan {
  std::size_t length = 0;      ///< 0 if it is no such atom
  std::string name;            ///< the atom in one spelling; formulas know it by this name
  std::string problem;         ///< what is wrong with it; empty if nothing is
  std::size_t problem_at = 0;  ///< where in the text
};

/// Atoms of formulas that are more than a name, such as those that speak of a net's marking: the
/// formats bring them (format/registry.h). A dialect is asked wherever neither a reserved word nor
/// a quoted name, an operator or a comment begins. `word` is how long the name is that the text
/// begins with, 0 if it begins with none.
using AtomDialect = AtomScan (*)(std::string_view text, std::size_t word);
using AtomDialects = std::span<const AtomDialect>;

}  // namespace nestor::logic
