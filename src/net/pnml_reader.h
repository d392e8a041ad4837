#pragma once

#include "base/input.h"
#include "model/successor_function.h"
#include "net/petri_net.h"

#include <memory>

namespace nestor {

/// Reads a place/transition net in PNML (docs/formats.md). Throws Error (Input, Unsupported) with
/// file, line and column.
PetriNet parse_pnml(const Input& input);
/// Its markings.
std::shared_ptr<SuccessorFunction> read_pnml(const Input& input);

}  // namespace nestor
