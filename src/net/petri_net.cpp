#include "net/petri_net.h"

#include <algorithm>
#include <utility>

namespace nestor::net {

PlaceId PetriNet::add_place(std::string name, std::uint32_t tokens) {
  return places_.push_back({std::move(name), tokens});
}

TransitionId PetriNet::add_transition(std::string name) {
  return transitions_.push_back({std::move(name), {}, {}, {}, {}});
}

void PetriNet::forbid(TransitionId t, std::string why, base::SourceLocation at) {
  transitions_[t].forbidden = std::move(why);
  transitions_[t].at = std::move(at);
}

bool PetriNet::add_input(TransitionId t, PlaceId from, std::uint32_t weight) {
  return add(transitions_[t].inputs, from, weight);
}

bool PetriNet::add_output(TransitionId t, PlaceId to, std::uint32_t weight) {
  return add(transitions_[t].outputs, to, weight);
}

bool PetriNet::add(std::vector<Arc>& arcs, PlaceId place, std::uint32_t weight) {
  const auto at = std::ranges::lower_bound(arcs, place, {}, &Arc::place);
  if (at == arcs.end() || at->place != place) {
    arcs.insert(at, {place, weight});
    return true;
  }
  if (weight > kMostTokens - at->weight) {
    return false;
  }
  at->weight += weight;
  return true;
}

}  // namespace nestor::net
