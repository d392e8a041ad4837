#pragma once

#include "base/input.h"
#include "logic/read_model.h"

namespace nestor {

/// Reads a file of NuSMV's language, with the CALL and EXIT of RMV (docs/smv.md). Throws Error
/// (Input, Unsupported) with file, line and column.
ReadModel read_smv(const Input& input, const ReadOptions& options);

}  // namespace nestor
