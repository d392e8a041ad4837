#pragma once

#include "base/input.h"
#include "model/builder.h"
#include "model/pushdown_system.h"
#include "model/rsm.h"

#include <string>
#include <vector>

namespace nestor::format {

/// Reads PuMoC's pushdown systems (docs/formats.md). Throws Error (Input, Unsupported) with file,
/// line and column.
model::PushdownSystem parse_pds(const base::Input& input);
/// Every proposition that the file mentions, also of heads that no configuration has.
std::vector<std::string> read_pds_propositions(const base::Input& input);
/// The system as a recursive state machine.
model::Rsm read_pds(const base::Input& input, model::DeadEnds dead_ends);

}  // namespace nestor::format
