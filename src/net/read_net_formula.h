#pragma once

#include "base/limits.h"
#include "logic/formula.h"
#include "net/net_formula.h"
#include "net/net_states.h"

#include <optional>

namespace nestor::net {

/// A formula with the atoms of `states`: fireability becomes comparisons of tokens, negations move
/// into the atoms. Nothing if it is not CTL or too large, its numbers are, or an atom makes no
/// sense.
std::optional<NetNodeId> read_net_formula(const NetStates& states, const logic::FormulaPool& pool,
                                          logic::FormulaId formula, NetFormulas& formulas,
                                          base::LimitGuard& guard);

}  // namespace nestor::net
