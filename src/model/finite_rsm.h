#pragma once

#include "model/rsm.h"

#include <memory>
#include <string>
#include <vector>

namespace nestor::model {

/// A state graph whose states are numbered already.
struct FiniteParts {
  base::CompressedRows<NodeId, NodeId> successors;
  std::vector<NodeId> initial;            ///< ascending, at least one
  std::vector<std::string> propositions;  ///< distinct
  base::CompressedRows<PropId, NodeId> nodes_with;
  std::shared_ptr<const NodeNames> names;
};

/// The graph as a machine of one component without boxes, whose entries are the initial states. For
/// graphs that a program made: nothing is looked up by name, and nothing is checked.
Rsm make_finite_rsm(FiniteParts parts);

/// Gives a machine more propositions, none of which it has: `rows[i]` are the nodes that carry
/// `propositions[i]`. The machine is as it was if this throws.
void add_propositions(Rsm& model, std::span<const std::string> propositions,
                      base::CompressedRows<PropId, NodeId> rows);

}  // namespace nestor::model
