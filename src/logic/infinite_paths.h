#pragma once

#include "logic/formula.h"
#include "logic/mu_formula.h"

namespace nestor::logic {

/// A formula that is true of maximal paths where `formula` is true of infinite ones only
/// (docs/semantics.md): dead ends, and states from which every path ends, do not count. Linear in
/// the formula's DAG.
///
/// A state has an infinite path if it satisfies `EG EX true`. Each operator stays what it is; its
/// operands are told to look at such states only. In an initial state that has none, the result is
/// true.
FormulaId on_infinite_paths(FormulaPool& pool, FormulaId formula);

/// The same for the mu-calculus: as if states from which every path ends were not there. A state
/// has an infinite path if it satisfies `nu X. <>X`. What comes before a state that has one has
/// one, too, so modalities that look back stay as they are.
MuFormula on_infinite_paths(const MuFormula& formula);

}  // namespace nestor::logic
