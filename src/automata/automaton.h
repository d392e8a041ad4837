#pragma once

#include "base/limits.h"
#include "logic/formula.h"

#include <cstdint>
#include <string>
#include <vector>

// Büchi automata over words of labels, infinite and finite ones. docs/ltl.md.

namespace nestor::automata {

/// A condition on one letter: these state formulas are true, those are false. Bits are places in
/// Automaton::letters.
struct Cube {
  std::uint64_t positive = 0;
  std::uint64_t negative = 0;

  bool accepts(std::uint64_t letter) const {
    return (letter & positive) == positive && (letter & negative) == 0;
  }
  /// True if every letter that `other` accepts is accepted here.
  bool includes(const Cube& other) const {
    return (positive & ~other.positive) == 0 && (negative & ~other.negative) == 0;
  }
  friend auto operator<=>(const Cube&, const Cube&) = default;
};

constexpr std::size_t kMostLetters = 64;
constexpr std::size_t kMostMarks = 32;

struct Transition {
  Cube cube;
  std::uint32_t marks = 0;  ///< acceptance sets that it belongs to
  std::uint32_t target = 0;

  friend auto operator<=>(const Transition&, const Transition&) = default;
};

struct AutomatonState {
  std::vector<Transition> transitions;
  std::vector<Cube> endings;  ///< a word may end with such a letter, read in this state
};

/// A generalised Büchi automaton whose transitions carry the acceptance: an infinite run is
/// accepted if it takes transitions of each acceptance set again and again, a finite one if it ends
/// as its last state allows.
struct Automaton {
  static constexpr std::uint32_t kInitial = 0;

  std::vector<logic::FormulaId> letters;  ///< state formulas
  std::uint32_t mark_count = 0;           ///< how many acceptance sets there are
  std::vector<AutomatonState> states;

  std::uint32_t all_marks() const {
    return mark_count == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << mark_count) - 1;
  }
  std::size_t transition_count() const;
};

/// The automaton of the words, with labels of the pool's state formulas, that satisfy a path
/// formula: X is strong at the end of a word (docs/semantics.md, as after `E`), negated if so
/// asked. Throws LimitReached.
Automaton make_automaton(logic::FormulaPool& pool, logic::FormulaId path, bool negated,
                         base::LimitGuard& guard);

/// The same language with one acceptance set.
Automaton with_one_set(const Automaton& automaton);

/// For people and tests: a line a state or transition.
std::string to_string(const Automaton& automaton, const logic::FormulaPool& pool);

}  // namespace nestor::automata
