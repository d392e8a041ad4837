#pragma once

#include "base/input.h"
#include "model/builder.h"
#include "model/rsm.h"

namespace nestor {

/// Reads the RSM JSON format (docs/formats.md). Throws Error (Input) with file, line and column.
Rsm read_rsm_json(const Input& input, DeadEnds dead_ends);

}  // namespace nestor
