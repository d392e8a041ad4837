#pragma once

#include "logic/formula.h"

#include <span>
#include <string_view>

namespace nestor::test {

/// Two formulas over `p` and `q` that are equivalent in every state of every model, dead ends
/// included.
struct FormulaLaw {
  std::string_view left;
  std::string_view right;
};

/// Some follow from how existential normal form is made, the rest (those that unwind a fixpoint or
/// distribute over `|` and `&`) only from what the engines do.
std::span<const FormulaLaw> formula_laws();

/// AG (left <-> right) with formulas in the places of `p` and `q`.
logic::FormulaId instance_of(const FormulaLaw& law, logic::FormulaPool& pool, logic::FormulaId p,
                             logic::FormulaId q);

}  // namespace nestor::test
