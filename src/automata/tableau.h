#pragma once

#include "automata/automaton.h"

namespace nestor::automata {

/// The automaton of a formula in positive form, as the tableau gives it. Throws LimitReached.
Automaton tableau(logic::FormulaPool& pool, logic::FormulaId positive, base::LimitGuard& guard);

/// What a state of the tableau stands for.
struct TableauState {
  std::vector<logic::FormulaId> obligations;  ///< what the rest of the word satisfies
  std::vector<logic::FormulaId> before;       ///< of past_operands(): true at the letter before
  /// Transitions, without the conditions on their letters.
  struct Next {
    std::uint32_t state = 0;
    std::uint32_t marks = 0;  ///< acceptance sets: the U of the formula, operands first

    friend auto operator<=>(const Next&, const Next&) = default;
  };
  std::vector<Next> next;  ///< ascending, each once
};
/// The same tableau without letters, for proofs. The first state is the initial one.
std::vector<TableauState> tableau_states(logic::FormulaPool& pool, logic::FormulaId positive,
                                         base::LimitGuard& guard);

/// What Y and Z stand before in a formula in positive form, and its S and T.
std::vector<logic::FormulaId> past_operands(const logic::FormulaPool& pool,
                                            logic::FormulaId positive);

}  // namespace nestor::automata
