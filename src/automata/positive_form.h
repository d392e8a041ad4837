#pragma once

#include "logic/formula.h"

namespace nestor::automata {

/// A path formula, or its negation, made of state formulas and their negations, And, Or, X, U, R,
/// Y, Z, S and T, and simplified. What X means at the end of a finite path is what it means after
/// `E`: false; where a negation is moved inwards it is that of X's operand (docs/semantics.md).
logic::FormulaId positive_form(logic::FormulaPool& pool, logic::FormulaId path, bool negated);

/// The negation of a formula in positive form.
logic::FormulaId negated_form(logic::FormulaPool& pool, logic::FormulaId positive);

}  // namespace nestor::automata
