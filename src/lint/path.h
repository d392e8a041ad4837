#pragma once

#include "lint/warning.h"
#include "program/slice.h"
#include "witness/witness.h"

#include <vector>

namespace nestor::lint {

/// What happens on the paths of a witness, in their order: the events of the rule, and calls.
std::vector<PathStep> path_of(const program::Program& program, const program::SlicedModel& model,
                              const witness::Witness& witness);

}  // namespace nestor::lint
