#pragma once

#include "logic/formula.h"

namespace nestor::logic {

/// A formula that is true of maximal paths where `formula` is true of infinite ones only
/// (docs/semantics.md): dead ends, and states from which every path ends, do not count. Linear in
/// the formula's DAG.
///
/// A state has an infinite path if it satisfies `EG EX true`. Each operator stays what it is; its
/// operands are told to look at such states only. In an initial state that has none, the result is
/// true.
FormulaId on_infinite_paths(FormulaPool& pool, FormulaId formula);

}  // namespace nestor::logic
