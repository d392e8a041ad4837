#pragma once

#include "logic/formula.h"
#include "smv/syntax/syntax.h"

#include <cstdint>
#include <span>

namespace nestor::smv {

/// An operator of PSL as a formula of LTL, linear in `last`. `operands` are those of the operator:
/// the event first, where it has one. Of NextA to NextEventE `first` and `last` are the bounds.
logic::FormulaId psl_formula(logic::FormulaPool& pool, PslOperator op, std::int64_t first,
                             std::int64_t last, std::span<const logic::FormulaId> operands);

}  // namespace nestor::smv
