#pragma once

#include "base/limits.h"
#include "net/net_formula.h"
#include "net/petri_net.h"

namespace nestor::net {

/// `root` with those parts made constant that the state equation decides in every reachable
/// marking. Unchanged where Nestor was built without a solver.
NetNodeId simplify_by_state_equation(const PetriNet& net, NetFormulas& formulas, NetNodeId root,
                                     const base::Limits& limits, base::LimitGuard& guard);

}  // namespace nestor::net
