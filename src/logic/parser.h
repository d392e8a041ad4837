#pragma once

#include "base/error.h"
#include "logic/formula.h"

#include <string>
#include <string_view>
#include <vector>

namespace nestor::logic {

/// A formula as the user gave it.
struct NamedFormula {
  FormulaId formula;
  std::string name;               ///< empty if it has none
  std::string text;               ///< as written, without name, comment and outer blanks
  base::SourceLocation location;  ///< of its first character
};

/// Reads one formula. `where` is the location of `text`'s first character, for error messages.
/// Throws Error (Input) with the column at fault.
FormulaId parse_formula(FormulaPool& pool, std::string_view text,
                        const base::SourceLocation& where);

/// Reads the text of a formula file: one formula a line, `name := formula` to name it; `#`, `--`
/// and `//` start comments. docs/logic.md has the grammar.
std::vector<NamedFormula> parse_formula_file(FormulaPool& pool, std::string_view text,
                                             const std::string& file);

}  // namespace nestor::logic
