#pragma once

#include "logic/formula.h"

#include <string>

namespace nestor::logic {

/// Text that parse_formula() reads back as the same formula, with the parentheses it needs. Shared
/// parts are written wherever they occur: linear for a formula that was read, but the text of a
/// normal form can be exponentially longer than its DAG.
std::string to_string(const FormulaPool& pool, FormulaId formula);

}  // namespace nestor::logic
