#pragma once

#include "base/random.h"
#include "logic/formula.h"

#include <cstddef>
#include <string>
#include <vector>

namespace nestor::generate {

struct RandomFormulaOptions {
  std::size_t quantifier_depth = 2;  ///< exactly this many quantifiers on the deepest branch
  std::size_t width = 2;             ///< most connectives in a row between two quantifiers
  double negation = 0.3;             ///< share of the parts that are negated
  std::vector<std::string> propositions = {"a", "b", "c"};
};

/// A formula with all of CTL's operators. Deterministic as random_rsm() is.
logic::FormulaId random_formula(logic::FormulaPool& pool, const RandomFormulaOptions& options,
                                base::Random& random);

}  // namespace nestor::generate
