#pragma once

#include "base/input.h"
#include "model/builder.h"
#include "model/pushdown_system.h"
#include "model/rsm.h"

#include <string>
#include <vector>

namespace nestor {

/// Reads PuMoC's pushdown systems (docs/formats.md). Throws Error (Input, Unsupported) with file,
/// line and column.
PushdownSystem parse_pds(const Input& input);
/// Every proposition that the file mentions, also of heads that no configuration has.
std::vector<std::string> read_pds_propositions(const Input& input);
/// The system as a recursive state machine.
Rsm read_pds(const Input& input, DeadEnds dead_ends);

}  // namespace nestor
