#pragma once

#include "net/net_formula.h"
#include "net/net_states.h"

#include <memory>

namespace nestor::net {

/// The markings of `net` with fewer steps: enough of them to decide `root`. Null if the formula is
/// none that stubborn sets are for: see stubborn_states.cpp.
std::shared_ptr<NetStates> stubborn_states(const PetriNet& net, const NetFormulas& formulas,
                                           NetNodeId root);

}  // namespace nestor::net
