#pragma once

#include "base/bit_set.h"
#include "base/limits.h"
#include "driver/probe/configuration.h"
#include "logic/formula.h"
#include "model/rsm.h"

#include <map>
#include <utility>

namespace nestor {

/// Says which formulas, in existential normal form, hold in a state. For a finite model it decides
/// a formula in all states at once; for a recursive one, the default engine decides it in a model
/// that leads to the state.
class Oracle {
 public:
  /// The model must outlive it and have all propositions that formulas will speak of.
  Oracle(const Rsm& model, FormulaPool& pool, Limits limits)
      : model_(model), pool_(pool), limits_(std::move(limits)) {}

  bool is_finite() const { return model_.box_count() == 0; }
  /// Throws LimitReached.
  bool holds(FormulaId formula, const Configuration& state);

 private:
  const Rsm& model_;
  FormulaPool& pool_;
  Limits limits_;
  std::map<FormulaId, BitSet> values_;                           // finite models
  std::map<std::pair<FormulaId, Configuration>, bool> answers_;  // the others
};

}  // namespace nestor
