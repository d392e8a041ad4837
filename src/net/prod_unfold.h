#pragma once

#include "base/limits.h"
#include "net/net_states.h"
#include "net/petri_net.h"
#include "net/prod_model.h"

#include <map>
#include <memory>
#include <vector>

namespace nestor::net {

/// A predicate/transition net as a place/transition net: a place for each tuple that may come to
/// lie in a place, a transition for each binding of variables under which one may fire.
struct UnfoldedNet {
  PetriNet net;  ///< places in the order of the ProdNet and of their tuples
  std::vector<std::map<ProdNet::Tuple, PlaceId>> places;  ///< by place of the ProdNet
  std::vector<std::vector<TransitionId>> transitions;     ///< by transition of the ProdNet
  base::IdVector<TransitionId, model::StepName> steps;    ///< what they are
};

/// For nets that stay small, whose markings are found faster so; for what needs a place/transition
/// net: structural reductions, the state equation; and as an oracle of ProdStates, with which it
/// has no code of binding in common. Throws LimitReached if there would be more than `most` places
/// or transitions.
UnfoldedNet unfold(const ProdModel& model, std::size_t most, base::LimitGuard& guard);

/// Its markings, with the atoms of the net that was unfolded.
std::shared_ptr<NetStates> unfolded_states(const std::shared_ptr<const ProdModel>& model,
                                           std::size_t most, base::LimitGuard& guard);

}  // namespace nestor::net
