#pragma once

#include "base/random.h"
#include "generate/random_rsm.h"
#include "model/pushdown_system.h"

#include <cstddef>
#include <vector>

namespace nestor::generate {

struct RandomPushdownOptions {
  std::size_t controls = 2;
  std::size_t symbols = 5;
  std::size_t pops = 4;  ///< rules of each kind; the same one may be drawn twice
  std::size_t rewrites = 6;
  std::size_t pushes = 4;
  std::vector<LabelShare> labels = {{"a", 0.4}, {"b", 0.6}, {"c", 0.5}};  ///< share of the heads
};

/// Every rule of every kind is equally likely. Initial is the first control state over the first
/// symbol. Deterministic as random_rsm() is.
model::PushdownSystem random_pushdown(const RandomPushdownOptions& options, base::Random& random);

}  // namespace nestor::generate
