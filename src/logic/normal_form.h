#pragma once

#include "logic/formula.h"

#include <vector>

namespace nestor::logic {

/// True for EX, EU and EG: the temporal operators of existential normal form.
inline bool is_existential(Op op) {
  return op == Op::EX || op == Op::EU || op == Op::EG;
}

/// The existential normal form of `formula`, in the same pool: an equivalent formula made of True,
/// Atom, Not, Or, EX, EU and EG only, without double negation. Linear in the formula's DAG.
/// The laws hold with maximal paths (docs/semantics.md), so also where there are dead ends.
FormulaId existential_normal_form(FormulaPool& pool, FormulaId formula);
/// The normal forms of all of `subformulas(pool, formula)`, in that order.
std::vector<FormulaId> existential_normal_forms(FormulaPool& pool, FormulaId formula);

}  // namespace nestor::logic
