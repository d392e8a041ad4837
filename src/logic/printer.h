#pragma once

#include "logic/formula.h"

#include <string>

namespace nestor {

/// Text that parse_formula() reads back as the same formula, with the parentheses it needs.
std::string to_string(const FormulaPool& pool, FormulaId formula);

}  // namespace nestor
