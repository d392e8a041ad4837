#pragma once

#include "base/input.h"
#include "logic/read_model.h"

namespace nestor::smv {

/// Reads a file of NuSMV's language, with the CALL and EXIT of RMV (docs/smv.md). Throws Error
/// (Input, Unsupported) with file, line and column.
logic::ReadModel read_smv(const base::Input& input, const logic::ReadOptions& options);

}  // namespace nestor::smv
