#pragma once

#include "base/limits.h"
#include "engine/rks/ternary.h"
#include "logic/formula.h"
#include "model/rsm.h"

#include <span>
#include <vector>

namespace nestor::engine::rks {

/// The associated Kripke structure of a sub-structure, after
///   [Thesis] the thesis on recursive Kripke structures (docs/engines.md), definitions 3.5.1 and
///            4.4.1.
///
///   thesis                    here
///   L, C                      plain nodes, call nodes of `component`
///   ⌜ψ⌝, ⌜ψ?⌝ at l            psi[l] is True, is Maybe
///   ⌜χ⌝, ⌜χ?⌝ at l            chi[l] likewise; of EU only
///   ⌜ϕ⌝, ⌜ϕ?⌝ at c            phi[c] is True, is Maybe
///   ⌜ϕ⌝, ⌜ϕ?⌝ at ω            omega likewise
///
/// Everything is by a node's place in its component. Deviations: a call may have several entries
/// to go to and several successors; a node without successors ends a path, and an exit may go on
/// locally too (docs/semantics.md).
struct AssociatedStructure {
  const model::Rsm& model;
  model::ComponentId component;
  std::span<const Ternary> psi;
  std::span<const Ternary> chi;
  std::span<const Ternary> phi;
  Ternary omega = Ternary::Maybe;
};

/// deduceLabels (algorithms 3.5 and 4.5): puts into `labels` what can be told of EG ψ or E ψ U χ at
/// plain nodes. Only values that are Maybe change. True if one did.
bool deduce_labels(const AssociatedStructure& structure, logic::Op op, std::span<Ternary> labels,
                   base::LimitGuard& guard);

}  // namespace nestor::engine::rks
