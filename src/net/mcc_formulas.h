#pragma once

#include "base/input.h"
#include "logic/formula.h"
#include "logic/parser.h"

#include <vector>

namespace nestor {

/// Reads the formulas of the Model Checking Contest (docs/formats.md). Throws Error (Input,
/// Unsupported) with file, line and column.
std::vector<NamedFormula> read_mcc_formulas(const Input& input, FormulaPool& pool);

}  // namespace nestor
