#pragma once

#include "base/bit_set.h"
#include "base/limits.h"
#include "base/strong_components.h"
#include "model/rsm.h"

#include <vector>

namespace nestor::engine::summary {

/// The nodes that `starts` reach if every call returns through every exit, in an order to
/// work bottom-up: successors and callees first wherever there is no cycle. `seen` becomes the set
/// of them, `recursions` the strongly connected components of their call graph.
///
/// Procedure by procedure, and those that call each other in the order in which they stand in the
/// model. A search that followed each call would be as good an order, but jump about in memory: on
/// a program of 10^7 nodes everything that went by it took twice as long.
std::vector<model::NodeId> bottom_up_order(const model::Rsm& model,
                                           const std::vector<model::NodeId>& starts,
                                           base::BitSet& seen, base::StrongComponents& recursions,
                                           base::LimitGuard& guard);

}  // namespace nestor::engine::summary
