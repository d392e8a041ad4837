#pragma once

#include "base/input.h"
#include "model/builder.h"
#include "model/pushdown_system.h"
#include "model/rsm.h"

namespace nestor {

/// Reads PuMoC's pushdown systems (docs/formats.md). Throws Error (Input, Unsupported) with file,
/// line and column.
PushdownSystem parse_pds(const Input& input);
/// The same, as a recursive state machine.
Rsm read_pds(const Input& input, DeadEnds dead_ends);

}  // namespace nestor
