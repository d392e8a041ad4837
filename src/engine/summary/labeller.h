#pragma once

#include "base/limits.h"
#include "engine/summary/control_flow.h"
#include "explain/labelling.h"
#include "logic/formula.h"

namespace nestor::engine::summary {

/// All values of one formula in existential normal form, everywhere: a batch of one in which
/// nothing is left out (docs/summary.md). Every node of every component that a chain of boxes leads
/// to counts as live, every exit stays in the contexts, every box has its callee, and the outermost
/// operator gets contexts like any other. May throw LimitReached.
///
/// `flow` is that of the model, in the scope Called.
explain::Labelling label(const ControlFlow& flow, const logic::FormulaPool& pool,
                         logic::FormulaId formula, unsigned jobs, base::LimitGuard& guard);

}  // namespace nestor::engine::summary
