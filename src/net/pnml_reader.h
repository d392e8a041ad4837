#pragma once

#include "base/input.h"
#include "base/limits.h"
#include "net/net_states.h"
#include "net/petri_net.h"

#include <memory>

namespace nestor::net {

/// Reads a place/transition net in PNML (docs/formats.md). Throws Error (Input, Unsupported) with
/// file, line and column.
/// Throws LimitReached.
PetriNet parse_pnml(const base::Input& input, const base::Limits& limits = {});
/// The markings of a place/transition net, or of a symmetric net, unfolded. Throws LimitReached if
/// that becomes too large.
std::shared_ptr<NetStates> read_pnml(const base::Input& input, const base::Limits& limits = {});

}  // namespace nestor::net
