#pragma once

#include "base/bit_layout.h"
#include "base/id.h"
#include "base/limits.h"
#include "net/petri_net.h"

#include <cstdint>
#include <map>
#include <vector>

namespace nestor::net {

/// Of a place whose tokens follow from those of others in every marking that can be reached: the
/// constant and the tokens of others times their factors, divided by the divisor.
struct ImpliedTokens {
  struct Term {
    PlaceId place;
    std::int64_t factor = 0;
  };
  std::vector<Term> terms;
  std::int64_t constant = 0;
  std::int64_t divisor = 1;
};

using ImpliedPlaces = std::map<PlaceId, ImpliedTokens>;

/// Places that follow from the others alone, as many as are found with little work. Of those that
/// follow from each other the ones with the fewest bits are not among them; `most`: the largest
/// number of tokens that each place has room for.
ImpliedPlaces implied_places(const PetriNet& net,
                             const base::IdVector<PlaceId, std::uint32_t>& most,
                             base::LimitGuard& guard);

}  // namespace nestor::net
