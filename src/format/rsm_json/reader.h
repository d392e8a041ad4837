#pragma once

#include "base/input.h"
#include "model/builder.h"
#include "model/rsm.h"

namespace nestor::format {

/// Reads the RSM JSON format (docs/formats.md). Throws Error (Input) with file, line and column.
model::Rsm read_rsm_json(const base::Input& input, model::DeadEnds dead_ends);

}  // namespace nestor::format
