#pragma once

#include "base/limits.h"
#include "explain/labelling.h"
#include "logic/formula.h"
#include "model/rsm.h"

namespace nestor::summary {

/// All values of one formula in existential normal form, everywhere. May throw LimitReached.
Labelling label(const Rsm& model, const FormulaPool& pool, FormulaId formula, unsigned jobs,
                LimitGuard& guard);

}  // namespace nestor::summary
