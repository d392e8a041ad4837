#pragma once

#include "logic/formula.h"
#include "logic/parser.h"
#include "model/successor_function.h"

#include <span>
#include <string>
#include <vector>

namespace nestor {

/// Every atom of the pool once.
std::vector<std::string> atoms_of(const FormulaPool& pool);
/// Every atom of the formula once.
std::vector<std::string> atoms_of(const FormulaPool& pool, FormulaId formula);

/// Throws Error (Input), with the place in the formula, for an atom that makes no sense in the
/// model: it speaks of a place that the net does not have, say.
void refuse_senseless_atoms(SuccessorFunction& model, const FormulaPool& pool,
                            std::span<const NamedFormula> formulas);

}  // namespace nestor
