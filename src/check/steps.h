#pragma once

#include "witness/witness.h"

#include <string>

namespace nestor::check {

/// Why `step` does not lead from one state to the other by docs/semantics.md; empty if it does.
std::string step_fault(const model::Rsm& model, const model::StackTable& stacks,
                       const model::State& from, model::Step step, const model::State& to);
/// Whether a path that gets here ends.
bool has_no_successor(const model::Rsm& model, const model::StackTable& stacks,
                      const model::State& state);
/// Why the box of some stack cannot be called there, or no node is where its state says; empty if
/// all stacks and states exist.
std::string state_fault(const model::Rsm& model, const witness::Witness& witness);

/// `main/call_a: a.node`, for messages: the top of the stack and the node.
std::string describe(const model::Rsm& model, const model::StackTable& stacks,
                     const model::State& state);

}  // namespace nestor::check
