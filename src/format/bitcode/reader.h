#pragma once

#include "base/input.h"
#include "logic/read_model.h"

namespace nestor::format {

/// A C or C++ program, one component a function (docs/c-programs.md). Throws Error, also where
/// Nestor was built without LLVM.
logic::ReadModel read_bitcode(const base::Input& input, const logic::ReadOptions& options);

}  // namespace nestor::format
