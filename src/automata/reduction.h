#pragma once

#include "automata/automaton.h"

namespace nestor::automata {

/// Makes an automaton smaller without changing its language: states that accept nothing go, states
/// that simulate each other become one, transitions that another one makes superfluous go.
void reduce(Automaton& automaton, base::LimitGuard& guard);

}  // namespace nestor::automata
