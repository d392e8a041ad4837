#pragma once

#include "base/compressed_rows.h"
#include "base/limits.h"
#include "model/rsm.h"
#include "model/state_store.h"

#include <cstdint>
#include <span>

namespace nestor::model {

/// For each of `propositions`, numbers of the store's model, the states in which it holds,
/// ascending. A proposition that has a key (SuccessorFunction::key) is placed through an index of
/// the states by that key; the others are evaluated in every state. Throws LimitReached.
base::CompressedRows<PropId, NodeId> place_propositions(const StateStore& store,
                                                        std::span<const std::uint32_t> propositions,
                                                        base::LimitGuard& guard);

}  // namespace nestor::model
