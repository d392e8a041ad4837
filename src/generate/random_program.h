#pragma once

#include "base/random.h"
#include "model/rsm.h"

#include <nestor/generate.h>

namespace nestor::generate {

using nestor::RandomProgramOptions;

/// Deterministic as random_rsm() is. Time and memory linear in the size.
model::Rsm random_program(const RandomProgramOptions& options, base::Random& random);

}  // namespace nestor::generate
