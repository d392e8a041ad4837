#pragma once

#include "base/random.h"
#include "logic/formula.h"

#include <nestor/generate.h>

namespace nestor::generate {

using nestor::RandomFormulaOptions;

/// A formula with all of CTL's operators. Deterministic as random_rsm() is.
logic::FormulaId random_formula(logic::FormulaPool& pool, const RandomFormulaOptions& options,
                                base::Random& random);

}  // namespace nestor::generate
