#pragma once

#include "engine/engine.h"

namespace nestor::engine::ctl_star {

/// How far the first search goes: depth first alone may lose itself where a short loop would do.
struct ShallowSearch {
  std::size_t depth = 100;
  std::size_t vertices = 50'000;
};

/// Decides a formula of LTL, or connectives of several, while its states are being found: what
/// fails is decided by the first loop that shows it. Heeds the fairness constraints of the model.
/// Throws LimitReached, also where quantifiers nest.
bool holds_on_the_fly(model::StateSpace& space, logic::FormulaPool& pool, logic::FormulaId formula,
                      base::LimitGuard& guard, const ShallowSearch& shallow = {});

}  // namespace nestor::engine::ctl_star
