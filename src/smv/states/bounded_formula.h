#pragma once

#include "logic/formula.h"
#include "smv/syntax/syntax.h"

#include <cstdint>

namespace nestor::smv {

/// A bounded operator, EBF to ABU, as a formula of CTL that is linear in `high`. `right` is that of
/// EBU and ABU only.
logic::FormulaId bounded_formula(logic::FormulaPool& pool, Syntax kind, std::int64_t low,
                                 std::int64_t high, logic::FormulaId left, logic::FormulaId right);

}  // namespace nestor::smv
