#pragma once

#include "model/builder.h"
#include "model/pushdown_system.h"
#include "model/rsm.h"

#include <string>

namespace nestor::format {

/// The same transition system as a recursive state machine: every formula of CTL, `X` included,
/// has the same verdict on both. docs/formats.md has the construction and why it is right.
/// Names must not contain `<` or `>`. `file` is for messages. Throws Error.
model::Rsm to_rsm(const model::PushdownSystem& system, const std::string& file,
                  model::DeadEnds dead_ends);

}  // namespace nestor::format
