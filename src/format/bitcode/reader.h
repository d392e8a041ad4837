#pragma once

#include "base/input.h"
#include "logic/read_model.h"

namespace nestor {

/// A C or C++ program, one component a function (docs/c-programs.md). Throws Error, also where
/// Nestor was built without LLVM.
ReadModel read_bitcode(const Input& input, const ReadOptions& options);

}  // namespace nestor
