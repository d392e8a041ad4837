#pragma once

#include "check/decider.h"
#include "engine/engine.h"
#include "logic/formula.h"
#include "model/rsm.h"
#include "witness/witness.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace nestor::test {

/// Asks `reference` what no path can show; `lazy` where a procedure has too many exits for that.
class ReferenceDecider final : public check::Decider {
 public:
  std::vector<check::Decision> decide(const model::Rsm& model, logic::FormulaPool& pool,
                                      std::span<const logic::FormulaId> formulas) override;
};

/// The witness for a verdict, by the labelling of one engine; none if the engine makes none.
std::optional<witness::Witness> make_witness(std::string_view engine, const model::Rsm& model,
                                             logic::FormulaPool& pool, logic::FormulaId formula,
                                             engine::Verdict verdict);

/// What is wrong with the witnesses for a right verdict; empty if nothing is. Every engine's is
/// replayed, and where the formula has the form `EF p`, `E [p U q]` or the like, a search among the
/// states themselves must not find a shorter path.
std::string witness_fault(const model::Rsm& model, logic::FormulaPool& pool,
                          logic::FormulaId formula, engine::Verdict verdict);

}  // namespace nestor::test
