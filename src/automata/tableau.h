#pragma once

#include "automata/automaton.h"

namespace nestor::automata {

/// The automaton of a formula in positive form, as the tableau gives it. Throws LimitReached.
Automaton tableau(logic::FormulaPool& pool, logic::FormulaId positive, base::LimitGuard& guard);

}  // namespace nestor::automata
