#pragma once

#include "base/bit_set.h"
#include "explain/labelling.h"
#include "logic/formula.h"
#include "model/rsm.h"

#include <vector>

namespace nestor::engine {

/// The labelling of a model without boxes: one instance, under the contexts of the empty stack.
/// `normal` is in existential normal form, `values` are those of `subformulas(pool, normal)`, by
/// node of the initial component.
explain::Labelling finite_labelling(const model::Rsm& model, const logic::FormulaPool& pool,
                                    logic::FormulaId normal, std::vector<base::BitSet> values);

}  // namespace nestor::engine
