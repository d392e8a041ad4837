#pragma once

#include "base/input.h"
#include "logic/formula.h"
#include "logic/parser.h"

#include <vector>

namespace nestor::net {

/// Reads the formulas of the Model Checking Contest (docs/formats.md). Throws Error (Input,
/// Unsupported) with file, line and column.
std::vector<logic::NamedFormula> read_mcc_formulas(const base::Input& input,
                                                   logic::FormulaPool& pool);

}  // namespace nestor::net
