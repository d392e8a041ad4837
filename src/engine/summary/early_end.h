#pragma once

#include "engine/summary/shape.h"

#include <vector>

namespace nestor::engine::summary {

/// Answers the formulas that are decided near the initial states; the others stay unknown. Takes
/// less than looking at the whole model does, for all batches together.
void decide_early(const model::Rsm& model, const std::vector<Batch>& batches, Env& env,
                  std::vector<Result>& results);

/// Every formula of the batch has its verdict.
bool is_decided(const Batch& batch, const std::vector<Result>& results);

}  // namespace nestor::engine::summary
