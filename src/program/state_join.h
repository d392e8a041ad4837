#pragma once

#include "program/symbolic_state.h"

#include <cstdint>
#include <vector>

namespace nestor::program {

// States that agree on the handle become one, after
//   M. Das, S. Lerner, M. Seigle: ESP: Path-Sensitive Program Verification in Polynomial Time.
//   PLDI 2002.
// What the paper calls the property state is here the phase, where the handle lies, and what it can
// be; what it calls the execution state is the rest.
//
// Deviation: the paper's property states are those of an automaton, here they are found.

/// What two states must have in common to be merged: what became of the handle, under which names
/// it is found, and what it can be.
std::vector<std::int64_t> shape_of(const SymbolicState& state);

/// What both states of the same shape know. With `widens`, numbers that differ can be anything, so
/// that going on like this comes to an end.
SymbolicState joined(const SymbolicState& a, const SymbolicState& b, bool widens);

}  // namespace nestor::program
