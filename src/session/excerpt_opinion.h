#pragma once

#include "check/decider.h"
#include "logic/simplifier.h"
#include "session/settings.h"

#include <optional>

namespace nestor::session {

/// Decides what no path can show about a model of which only an excerpt is there: by `almc`, which
/// made no evidence, on the model as it is given, then on a smaller one.
class ExcerptOpinion final : public check::Decider {
 public:
  ExcerptOpinion(const Settings& settings, const logic::Simplifier& simplifier,
                 const model::SuccessorFunction& given)
      : settings_(settings), simplifier_(simplifier), given_(given) {}

  std::vector<check::Decision> decide(const model::Rsm& model, logic::FormulaPool& pool,
                                      std::span<const logic::FormulaId> formulas) override;
  std::optional<check::Decision> decide_at(const model::Rsm& model, logic::FormulaPool& pool,
                                           logic::FormulaId formula, model::NodeId node) override;

 private:
  const Settings& settings_;
  const logic::Simplifier& simplifier_;
  const model::SuccessorFunction& given_;  // that the excerpt is of
};

}  // namespace nestor::session
