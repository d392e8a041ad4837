#pragma once

#include "base/input.h"
#include "model/successor_function.h"
#include "net/petri_net.h"

#include <memory>

namespace nestor::net {

/// Reads a place/transition net in PNML (docs/formats.md). Throws Error (Input, Unsupported) with
/// file, line and column.
PetriNet parse_pnml(const base::Input& input);
/// Its markings.
std::shared_ptr<model::SuccessorFunction> read_pnml(const base::Input& input);

}  // namespace nestor::net
