#pragma once

#include "base/limits.h"
#include "explain/finite_paths.h"
#include "explain/labelling.h"
#include "witness/witness.h"

#include <optional>
#include <string>

namespace nestor::explain {

/// The evidence for a verdict on `formula`, as the user wrote it, read off a labelling of its
/// existential normal form. Paths are shortest where their operands have no temporal operators:
/// to the goal of an `EU`; for an `EG` to the nearest state that can come again or is a dead end,
/// then once round by a shortest loop. The pool grows by normal forms.
///
/// With `paths`, of a machine without boxes, these are taken instead of shortest ones.
///
/// Throws LimitReached, also if a path is too long to write down: shortest paths of recursive
/// programs can be exponentially long.
witness::Witness extract_witness(const model::Rsm& model, logic::FormulaPool& pool,
                                 logic::FormulaId formula, bool holds, const Labelling& labelling,
                                 std::string engine, const base::Limits& limits,
                                 FinitePaths* paths = nullptr);

/// The same where no values are needed: for a verdict that no path can show, about a formula whose
/// operator is temporal. Nothing else.
std::optional<witness::Witness> witness_without_values(const model::Rsm& model,
                                                       logic::FormulaPool& pool,
                                                       logic::FormulaId formula, bool holds);

}  // namespace nestor::explain
