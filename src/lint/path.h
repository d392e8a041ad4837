#pragma once

#include "lint/warning.h"
#include "program/slice.h"
#include "witness/witness.h"

#include <vector>

namespace nestor {

/// What happens on the paths of a witness, in their order: the events of the rule, and calls.
std::vector<PathStep> path_of(const Program& program, const SlicedModel& model,
                              const Witness& witness);

}  // namespace nestor
