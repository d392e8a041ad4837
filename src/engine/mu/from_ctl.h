#pragma once

#include "logic/formula.h"
#include "logic/mu_formula.h"

namespace nestor::engine::mu {

/// A formula of CTL in the mu-calculus, with paths that are maximal (docs/semantics.md).
logic::MuFormula from_ctl(logic::FormulaPool& pool, logic::FormulaId formula);

}  // namespace nestor::engine::mu
