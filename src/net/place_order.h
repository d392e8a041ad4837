#pragma once

#include "base/limits.h"
#include "net/petri_net.h"

#include <vector>

namespace nestor::net {

/// All places, those of a transition near to each other: an order of levels for decision diagrams.
std::vector<PlaceId> place_order(const PetriNet& net, base::LimitGuard& guard);

}  // namespace nestor::net
