#pragma once

#include "base/limits.h"
#include "engine/summary/control_flow.h"
#include "explain/labelling.h"
#include "logic/formula.h"

namespace nestor::summary {

/// All values of one formula in existential normal form, everywhere: a batch of one in which
/// nothing is left out (docs/summary.md). Every node of every component that a chain of boxes leads
/// to counts as live, every exit stays in the contexts, every box has its callee, and the outermost
/// operator gets contexts like any other. May throw LimitReached.
///
/// `flow` is that of the model, in the scope Called.
Labelling label(const ControlFlow& flow, const FormulaPool& pool, FormulaId formula, unsigned jobs,
                LimitGuard& guard);

}  // namespace nestor::summary
