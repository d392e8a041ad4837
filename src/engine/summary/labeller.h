#pragma once

#include "base/limits.h"
#include "engine/summary/control_flow.h"
#include "explain/labelling.h"
#include "logic/formula.h"

#include <optional>
#include <span>
#include <vector>

namespace nestor::engine::summary {

/// All values of the first of these formulas in existential normal form, everywhere, and of as many
/// others as have its shape and go beside it: a batch in which nothing is left out
/// (docs/summary.md). Every node of every component that a chain of boxes leads to counts as live,
/// every exit stays in the contexts, every box has its callee, and the outermost operator gets
/// contexts like any other. May throw LimitReached.
///
/// `flow` is that of the model, in the scope Called.
std::vector<std::optional<explain::Labelling>> label(const ControlFlow& flow,
                                                     const logic::FormulaPool& pool,
                                                     std::span<const logic::FormulaId> formulas,
                                                     unsigned jobs, base::LimitGuard& guard);

}  // namespace nestor::engine::summary
