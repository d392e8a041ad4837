#pragma once

#include "engine/engine.h"
#include "logic/formula.h"
#include "model/pushdown_system.h"

#include <cstddef>

namespace nestor::test {

/// An oracle for pushdown systems that knows nothing of recursive state machines: the
/// configurations themselves, explored from the initial ones up to a number of them, and the finite
/// graph labelled. `formula` is in existential normal form.
engine::Verdict check_by_unfolding(const model::PushdownSystem& system,
                                   const logic::FormulaPool& pool, logic::FormulaId formula,
                                   std::size_t most_states);

}  // namespace nestor::test
