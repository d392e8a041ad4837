#pragma once

#include "engine/ctl_star/evaluation.h"
#include "engine/engine.h"

namespace nestor::engine::ctl_star {

/// Evidence for what an evaluation has found: paths for what paths can show, down to the
/// connectives outside of quantifiers. What formulas inside of quantifiers are worth along a path
/// is said, and left to others to decide.
witness::Witness extract(const ExplainTask& task, Evaluation& evaluation);

}  // namespace nestor::engine::ctl_star
