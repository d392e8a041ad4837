#pragma once

#include "automata/tableau.h"
#include "base/limits.h"
#include "logic/formula.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace nestor::engine::ctl_star {

/// The automaton of a path formula as certificates have it (docs/certificates.md): the tableau as
/// it is, with the sets of formulas that its states stand for. Which of its transitions a letter
/// allows follows from these sets.
class PathAutomaton {
 public:
  struct Move {
    std::uint32_t transition = 0;  ///< its place among those of the state
    std::uint32_t state = 0;       ///< where it leads
    std::uint32_t marks = 0;       ///< bits are places in sets()
  };
  using Letter = std::vector<bool>;  ///< by place in leaves()

  /// `path` is that of a formula in path normal form.
  PathAutomaton(logic::FormulaPool& pool, logic::FormulaId path, base::LimitGuard& guard);

  const std::vector<automata::TableauState>& states() const { return states_; }
  std::uint32_t state_count() const { return static_cast<std::uint32_t>(states_.size()); }
  /// The state formulas that a letter tells the truth of.
  const std::vector<logic::FormulaId>& leaves() const { return leaves_; }
  /// The U that acceptance sets are about; none: there is one set, of all transitions.
  const std::vector<logic::FormulaId>& sets() const { return sets_; }
  std::uint32_t set_count() const {
    return sets_.empty() ? 1 : static_cast<std::uint32_t>(sets_.size());
  }

  /// A number for a letter, for the functions below.
  std::uint32_t letter(const Letter& letter);
  const std::vector<Move>& moves(std::uint32_t letter, std::uint32_t state);
  bool may_end(std::uint32_t letter, std::uint32_t state);

 private:
  struct Reading {
    std::vector<Move> moves;
    bool may_end = false;
    bool is_known = false;
  };

  Reading& reading(std::uint32_t letter, std::uint32_t state);
  /// Which formulas of the closure are true where the letter is read in `state` and the next one
  /// in the state `next`, no U of the marks being put off; null: there is no next one.
  std::vector<bool> truth(const Letter& letter, std::uint32_t state,
                          const automata::TableauState::Next* next) const;
  bool holds(const std::vector<bool>& truth, std::span<const logic::FormulaId> formulas) const;
  std::size_t place(logic::FormulaId f) const;

  const logic::FormulaPool& pool_;
  std::vector<automata::TableauState> states_;
  std::vector<logic::FormulaId> closure_;  // operands first
  std::vector<logic::FormulaId> leaves_;
  std::vector<logic::FormulaId> sets_;
  std::map<Letter, std::uint32_t> numbers_;
  std::vector<Letter> letters_;
  std::vector<Reading> readings_;  // by letter, then state
};

}  // namespace nestor::engine::ctl_star
