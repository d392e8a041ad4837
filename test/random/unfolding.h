#pragma once

#include "bounded_graph.h"
#include "engine/engine.h"
#include "logic/formula.h"
#include "model/rsm.h"

#include <compare>
#include <cstddef>
#include <optional>
#include <vector>

namespace nestor::test {

/// A state as docs/semantics.md defines it, the outermost call first. A call node is the callee's
/// entry and a return node the callee's exit, so plain nodes suffice.
struct UnfoldedState {
  std::vector<model::BoxId> stack;
  model::NodeId node;

  friend auto operator<=>(const UnfoldedState&, const UnfoldedState&) = default;
};

/// The states, from the initial ones up to a number of them.
Explored<UnfoldedState> unfold(const model::Rsm& model, std::size_t most_states);

bool is_successor(const model::Rsm& model, const UnfoldedState& from, const UnfoldedState& to);

/// A second oracle that shares nothing with the engines: the states (stack, node) themselves, as
/// docs/semantics.md defines them, explored from the initial ones up to a number of states, and the
/// finite graph labelled. States beyond are unknown: each formula gets a lower and an upper bound.
/// Without recursion, inlining ends and the answer is exact; with recursion it is often exact.
engine::Verdict check_by_unfolding(const model::Rsm& model, const logic::FormulaPool& pool,
                                   logic::FormulaId formula, std::size_t most_states);

/// The number of steps of a shortest path, from one initial node, that shows `EF`, `EU`, `AG`, … to
/// be true or false, by breadth-first search among the states; none if the operands are temporal,
/// if the operator asks for something else, or if the search would need more states.
std::optional<std::size_t> shortest_path(const model::Rsm& model, logic::FormulaPool& pool,
                                         logic::FormulaId formula, bool holds,
                                         model::NodeId initial, std::size_t most_states);

}  // namespace nestor::test
