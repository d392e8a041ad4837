#pragma once

#include "explain/labelling.h"
#include "logic/formula.h"
#include "model/rsm.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace nestor::explain {

/// How the fixpoint of EG ϕ or E ϕ U ψ is approached on a model without calls, as the lecture
/// slides on the labelling algorithm have it (docs/label.md):
///
///   slides                               here
///   [[ϕ]], [[ψ]]                         the values of the operands in the labelling
///   EG: X₁ := [[ϕ]],                     X₀ is all states; a state that ends a path counts as
///       Xⱼ₊₁ := Xⱼ ∩ PRE(Xⱼ)             having a successor in every X (docs/semantics.md)
///   EU: X₁ := [[ψ]],                     X₀ is no state
///       Xⱼ₊₁ := Xⱼ ∪ ([[ϕ]] ∩ PRE(Xⱼ))
///   fixpoint Xₙ = Xₙ₊₁                   n + 1 is `steps`
struct Approximations {
  bool grows = false;       ///< EU
  std::uint32_t steps = 0;  ///< number of the last X, which is the one before once more
  /// By node row: the number of the first X that a state is in (EU) or not in any more (EG); 0 if
  /// there is none.
  std::vector<std::uint32_t> changed;
};

/// Of subformula `number` of the labelling; nothing if that is neither EG nor EU, or if the model
/// has boxes.
std::optional<Approximations> approximate(const model::Rsm& model, const logic::FormulaPool& pool,
                                          const Labelling& labelling, std::size_t number);

}  // namespace nestor::explain
