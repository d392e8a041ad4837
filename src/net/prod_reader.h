#pragma once

#include "base/input.h"
#include "model/successor_function.h"

#include <memory>

namespace nestor {

/// Reads a predicate/transition net of PROD (docs/formats.md) and unfolds it. Throws Error (Input,
/// Unsupported) with file, line and column.
std::shared_ptr<SuccessorFunction> read_prod(const Input& input);

}  // namespace nestor
