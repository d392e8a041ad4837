#pragma once

#include "base/input.h"
#include "net/petri_net.h"
#include "net/prod_parser.h"

#include <map>
#include <string>
#include <vector>

namespace nestor::net {

/// A predicate/transition net as a place/transition net: a place for each tuple that may come to
/// lie in a place, a transition for each binding of variables under which one may fire.
struct UnfoldedNet {
  PetriNet net;
  std::vector<std::map<ProdNet::Tuple, PlaceId>> places;  ///< by place of the ProdNet
  std::vector<std::vector<TransitionId>> transitions;     ///< by transition of the ProdNet
};

/// Throws Error: for expressions without a value, variables without a value, and nets that become
/// too large or have no end.
UnfoldedNet unfold(const ProdNet& net, const base::Input& input);

/// `<1,2>`; nothing for the tuple without fields.
std::string to_text(const ProdNet::Tuple& tuple);

}  // namespace nestor::net
