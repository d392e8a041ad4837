#pragma once

#include "engine/strategies/context_machine.h"
#include "explain/labelling.h"

namespace nestor::strategies {

/// The labelling that a machine holds when every subformula is known everywhere.
Labelling read_labelling(const ContextMachine& machine, LimitGuard& guard);

}  // namespace nestor::strategies
