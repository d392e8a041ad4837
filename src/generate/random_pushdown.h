#pragma once

#include "base/random.h"
#include "model/pushdown_system.h"

#include <nestor/generate.h>

namespace nestor::generate {

using nestor::RandomPushdownOptions;

/// Every rule of every kind is equally likely. Initial is the first control state over the first
/// symbol. Deterministic as random_rsm() is.
model::PushdownSystem random_pushdown(const RandomPushdownOptions& options, base::Random& random);

}  // namespace nestor::generate
