#pragma once

#include "base/bit_set.h"
#include "witness/witness.h"

#include <span>
#include <vector>

namespace nestor::explain {

/// Paths in a machine without boxes, by an engine that has its own: because they are on its search
/// stack, or because it knows which paths are fair. Sets of nodes are by place in the initial
/// component.
class FinitePaths {
 public:
  virtual ~FinitePaths() = default;

  /// False if no path from the node counts: with fairness constraints, if none is fair.
  virtual bool counts(std::size_t node) const = 0;

  struct Wanted {
    bool may_reach = false;  ///< a path through `along` to a node of `end`
    bool may_stay = false;   ///< a maximal path through `along`
    const base::BitSet& along;
    const base::BitSet& end;
    /// What is true in the nodes of these sets, for whoever finds paths beyond the machine. Without
    /// a formula it is true everywhere.
    witness::Claim along_claim = {};
    std::span<const witness::Claim> end_claims = {};
  };
  struct Found {
    std::vector<std::size_t> nodes;  ///< from the start on
    witness::Evidence::Ending ending = witness::Evidence::Ending::Here;
    std::size_t loop = 0;  ///< of Ending::Loop: where on the path the last node is met before
  };
  /// There must be one. May throw LimitReached.
  virtual Found find(const Wanted& wanted, std::size_t start) = 0;
};

}  // namespace nestor::explain
