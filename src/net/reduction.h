#pragma once

#include "base/limits.h"
#include "net/firing_history.h"
#include "net/net_formula.h"
#include "net/petri_net.h"

namespace nestor::net {

/// Makes `net` smaller such that `root` keeps its value in the initial marking. The formula that
/// says the same of the smaller net. `history` is that of `net`, before and after. See
/// reduction.cpp. Throws LimitReached; all is then as it was.
NetNodeId reduce(PetriNet& net, NetFormulas& formulas, NetNodeId root, FiringHistory& history,
                 base::LimitGuard& guard);

}  // namespace nestor::net
