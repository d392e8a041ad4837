#pragma once

#include "logic/formula.h"
#include "model/rsm.h"

#include <cstddef>
#include <optional>

namespace nestor::test {

/// Formulas of CTL* on the states themselves, as docs/semantics.md defines them, explored from the
/// initial ones up to a number of them: a path is sought together with the values, guessed, of all
/// path operators along it, which must fit each other from state to state and come true in the end.
/// It shares nothing with the engines and their automata. Nothing if states beyond could matter;
/// then too for formulas in which quantifiers nest, unless all states were explored.
/// `only_infinite`: paths that end do not count, nor initial states from which all end; then too
/// all states must be explored.
std::optional<bool> holds_by_guessing(const model::Rsm& model, const logic::FormulaPool& pool,
                                      logic::FormulaId formula, std::size_t most_states,
                                      bool only_infinite = false);

/// How many path operators stand outside of inner quantifiers; the guesses are 3 to that power.
std::size_t path_operator_count(const logic::FormulaPool& pool, logic::FormulaId path);

}  // namespace nestor::test
