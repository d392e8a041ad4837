#pragma once

#include "base/limits.h"
#include "net/net_formula.h"
#include "net/petri_net.h"

namespace nestor::net {

/// Makes `net` smaller such that `root` keeps its value in the initial marking. The formula that
/// says the same of the smaller net. See reduction.cpp.
NetNodeId reduce(PetriNet& net, NetFormulas& formulas, NetNodeId root, base::LimitGuard& guard);

}  // namespace nestor::net
