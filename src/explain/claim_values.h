#pragma once

#include "explain/instance_graph.h"
#include "witness/witness.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace nestor::explain {

/// The values of a formula's parts, as the user wrote them, by a labelling of its normal form; and
/// what can be shown of them.
class ClaimValues {
 public:
  /// How well a claim can be shown. Less is better.
  enum Weight : std::uint8_t { kLabels = 0, kPaths = 1, kAllPaths = 2 };

  ClaimValues(logic::FormulaPool& pool, logic::FormulaId formula, const Labelling& labelling);

  bool is_propositional(logic::FormulaId formula) const { return part(formula).is_propositional; }
  /// Set if the value is the same in all states of all models, by the form of the formula.
  std::optional<bool> constant(logic::FormulaId formula) const { return part(formula).constant; }
  Weight weight(witness::Claim claim) const {
    return part(claim.formula).weight[claim.holds ? 1 : 0];
  }
  // Where claims are true, by plain row. One without a formula is true everywhere.
  bool is_true(witness::Claim claim, std::size_t plain_row) const;
  base::BitSet rows(witness::Claim claim) const;
  base::BitSet rows_of_all(std::span<const witness::Claim> claims) const;

 private:
  struct Part {
    std::size_t value = 0;  // place of the normal form, without its negation, in the labelling
    bool negated = false;
    bool is_propositional = false;
    std::optional<bool> constant;
    std::array<Weight, 2> weight{kLabels, kLabels};  // of the claims that it is false, true
  };

  const Part& part(logic::FormulaId formula) const;
  Weight weigh(const logic::FormulaPool& pool, witness::Claim claim, const Part& part) const;

  std::vector<logic::FormulaId> formulas_;  // ascending
  std::vector<Part> parts_;
  const Labelling& labelling_;
};

}  // namespace nestor::explain
