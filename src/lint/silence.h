#pragma once

#include "logic/formula.h"
#include "program/slice.h"

namespace nestor::lint {

/// How far a model may be reduced for a formula in existential normal form, so that its verdict is
/// that of the whole model. *Silence* is a state without events: all atoms are false there.
///
/// Leaving silent states out is right if, for every `E [p U q]` and `EG p`, silence fulfils p
/// whatever comes later, and does not fulfil q, or q is again such a formula; and if after `EX`
/// there is such a formula: then what holds in a silent state holds in some state that comes after
/// it. `EG` needs silent loops besides, those of functions that are left out included.
program::Reduction reduction_for(const logic::FormulaPool& pool, logic::FormulaId formula);

}  // namespace nestor::lint
