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
///   κ(l, θϕ)                  labels[l]
///   ⌜ϕ⌝, ⌜ϕ?⌝ at c            labels[c] is True, is Maybe
///   ⌜ϕ⌝, ⌜ϕ?⌝ at ω            omega likewise
///
/// Everything is by a node's place in its component. Deviations: a call may have several entries
/// to go to and several successors; a node without successors ends a path, and an exit may go on
/// locally too (docs/semantics.md).
struct AssociatedStructure {
  const model::Rsm* model = nullptr;
  model::ComponentId component;
  logic::Op op = logic::Op::EU;  ///< EG or EU
  std::span<const Ternary> psi;
  std::span<const Ternary> chi;
  std::span<Ternary> labels;
  Ternary omega = Ternary::Maybe;

  std::size_t place(model::NodeId n) const { return n - model->component(component).first_node; }
};

/// deduceLabels (algorithms 3.5 and 4.5): labels the plain nodes of which ϕ can be told. Only
/// values that are Maybe change; gives the nodes where one did.
std::vector<model::NodeId> deduce_labels(const AssociatedStructure& structure,
                                         base::LimitGuard& guard);

/// How far the successors of each node are known to be False; by place, empty at first.
using FalseSuccessors = std::vector<std::uint32_t>;

/// True if all successors of `n` are False. What was looked at before is not looked at again, so
/// all questions about a node together cost as much as it has successors.
bool all_successors_false(const AssociatedStructure& structure, FalseSuccessors& seen,
                          model::NodeId n, base::LimitGuard& guard);

/// What deduce_labels would find once more after the values at `calls` have become known, without
/// going through the whole sub-structure: only what these decide, backwards from them. Less in one
/// case: where locations of EU wait for each other on a cycle they stay Maybe, and are decided with
/// the remaining ones.
std::vector<model::NodeId> deduce_from_calls(const AssociatedStructure& structure,
                                             FalseSuccessors& seen,
                                             std::span<const model::NodeId> calls,
                                             base::LimitGuard& guard);

/// The assumption about what follows a call, ca (definition 3.3.5): whether one of the successors
/// of its return node has `op` (for EX: its operand), by the values of the caller. False where the
/// callee has no exit.
Ternary assumption_after(const model::Rsm& model, logic::Op op, std::span<const Ternary> values,
                         model::BoxId box);

}  // namespace nestor::engine::rks
