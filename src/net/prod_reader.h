#pragma once

#include "base/input.h"
#include "net/net_states.h"

#include <memory>

namespace nestor::net {

/// Reads a predicate/transition net of PROD (docs/formats.md) and unfolds it. Throws Error (Input,
/// Unsupported) with file, line and column.
std::shared_ptr<NetStates> read_prod(const base::Input& input);

}  // namespace nestor::net
