#pragma once

#include "engine/strategies/context_machine.h"
#include "explain/labelling.h"

namespace nestor::engine::strategies {

/// The labelling that a machine holds when every subformula is known everywhere.
explain::Labelling read_labelling(const ContextMachine& machine, base::LimitGuard& guard);

}  // namespace nestor::engine::strategies
