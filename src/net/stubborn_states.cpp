#include "net/stubborn_states.h"

namespace nestor::net {

std::shared_ptr<NetStates> stubborn_states(const PetriNet& /*net*/, const NetFormulas& /*formulas*/,
                                           NetNodeId /*root*/) {
  return nullptr;
}

}  // namespace nestor::net
