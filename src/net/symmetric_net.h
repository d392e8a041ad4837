#pragma once

#include "base/input.h"
#include "base/limits.h"
#include "net/net_states.h"

#include <memory>

namespace nestor::net {

/// True if a PNML file says that its net is a symmetric one: tokens have colours.
bool is_symmetric_net(const base::Input& input);

/// Reads a symmetric net and unfolds it: a place for each colour of a place, a transition for each
/// binding of variables under which it may fire. Names of coloured places mean all their colours,
/// names of transitions all their bindings. Throws Error (Input, Unsupported) with file, line and
/// column; LimitReached if the net becomes too large.
std::shared_ptr<NetStates> read_symmetric_net(const base::Input& input, const base::Limits& limits);

}  // namespace nestor::net
