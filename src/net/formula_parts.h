#pragma once

#include "net/net_formula.h"
#include "net/petri_net.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace nestor::net {

/// A question about the initial marking as several: is it so for all of them, or for some?
struct FormulaParts {
  bool needs_all = false;
  std::vector<NetNodeId> formulas;  ///< in the initial marking

  // And one formula in each of these markings.
  std::vector<std::vector<std::uint32_t>> starts;
  NetNodeId next;

  std::size_t size() const { return formulas.size() + starts.size(); }
};

/// Nothing if `root` is one question, or more than `most`.
std::optional<FormulaParts> parts_of(NetFormulas& formulas, NetNodeId root, const PetriNet& net,
                                     std::size_t most);

}  // namespace nestor::net
