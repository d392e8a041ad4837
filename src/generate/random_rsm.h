#pragma once

#include "base/random.h"
#include "model/rsm.h"

#include <nestor/generate.h>

namespace nestor::generate {

using nestor::LabelShare;
using nestor::RandomRsmOptions;

/// Deterministic: the same options and random state give the same model on every machine.
model::Rsm random_rsm(const RandomRsmOptions& options, base::Random& random);

}  // namespace nestor::generate
