#pragma once

#include "model/builder.h"
#include "model/pushdown_system.h"
#include "model/rsm.h"

#include <string>

namespace nestor {

/// The same transition system as a recursive state machine: every formula of CTL, `X` included,
/// has the same verdict on both. docs/formats.md has the construction and why it is right.
/// Names must not contain `<` or `>`. `file` is for messages. Throws Error.
Rsm to_rsm(const PushdownSystem& system, const std::string& file, DeadEnds dead_ends);

}  // namespace nestor
