#pragma once

#include "model/rsm.h"

namespace nestor::engine {

/// f calls itself through boxes that shift and add exits: where exit 0 goes on to exit 0 or d, it
/// is in the callee's context if exit d is in the caller's. With d = 1 and d = 2 stacks have
/// contexts with gaps in all patterns, exponentially many in the number of exits. `idle` nodes that
/// nothing leads to make contexts large.
model::Rsm counter(std::size_t exits, std::size_t idle);

}  // namespace nestor::engine
