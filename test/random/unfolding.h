#pragma once

#include "engine/engine.h"
#include "logic/formula.h"
#include "model/rsm.h"

#include <cstddef>

namespace nestor::test {

/// A second oracle that shares nothing with the engines: the states (stack, node) themselves, as
/// docs/semantics.md defines them, explored from the initial ones up to a number of states, and the
/// finite graph labelled. States beyond are unknown: each formula gets a lower and an upper bound.
/// Without recursion, inlining ends and the answer is exact; with recursion it is often exact.
Verdict check_by_unfolding(const Rsm& model, const FormulaPool& pool, FormulaId formula,
                           std::size_t most_states);

}  // namespace nestor::test
