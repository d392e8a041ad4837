#pragma once

#include "engine/engine.h"

namespace nestor::engine::ctl_star {

/// Decides a formula of LTL, or connectives of several, while its states are being found: what
/// fails is decided by the first loop that shows it. Heeds the fairness constraints of the model.
/// Throws LimitReached, also where quantifiers nest.
bool holds_on_the_fly(model::StateSpace& space, logic::FormulaPool& pool, logic::FormulaId formula,
                      base::LimitGuard& guard);

}  // namespace nestor::engine::ctl_star
