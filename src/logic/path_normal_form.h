#pragma once

#include "logic/formula.h"

namespace nestor::logic {

/// A formula as proofs about paths have it (docs/certificates.md), in the same pool: state formulas
/// made of True, False, Atom, Not, And, Or and E, where E stands before a path formula without
/// negations of its own: state formulas, And, Or, X, U, R, Y, Z, S and T. Equivalent, also where
/// paths end (docs/semantics.md), and not simplified. Linear in the formula's DAG.
FormulaId path_normal_form(FormulaPool& pool, FormulaId formula);

}  // namespace nestor::logic
