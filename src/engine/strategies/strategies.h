#pragma once

#include "engine/engine.h"

#include <memory>

namespace nestor::engine::strategies {

// The strategies of [DWF24] (src/engine/strategies; docs/engines.md). They differ in which boxes
// they contextualise, and so in the number of contexts; the verdict is the same.

/// EAGERCHECK: every subformula everywhere, bottom-up.
std::unique_ptr<Engine> make_eager();
/// LAZYCHECK with all contextualisable boxes in each round.
std::unique_ptr<Engine> make_ternary();
/// LAZYCHECK' with GETNEXTEXPANSION: boxes that may decide the formula at an initial node.
std::unique_ptr<Engine> make_lazy();
/// The same with the search as it is printed.
std::unique_ptr<Engine> make_lazy_plain();
/// LAZYCHECK with one contextualisable box in each round, chosen at random (Env::seed).
std::unique_ptr<Engine> make_random();

}  // namespace nestor::engine::strategies
