#pragma once

#include "base/limits.h"
#include "logic/formula.h"
#include "model/successor_function.h"

#include <memory>
#include <optional>
#include <string>

namespace nestor::logic {

/// A question about a model as another, smaller one with the same answer.
struct SmallerQuestion {
  std::optional<bool> value;  ///< the answer, if it is known already
  std::string how;            ///< what the answer comes from

  // Else a model and a formula of a pool of its own; a null model if nothing can be said.
  std::shared_ptr<model::SuccessorFunction> states;
  std::shared_ptr<FormulaPool> pool;
  FormulaId formula;
};

/// Makes questions about one model smaller. Dead ends must be kept as they are.
class Simplifier {
 public:
  virtual ~Simplifier() = default;
  /// May be called by several threads. Throws LimitReached.
  virtual SmallerQuestion simplify(const FormulaPool& pool, FormulaId formula,
                                   const base::Limits& limits) const = 0;
};

}  // namespace nestor::logic
