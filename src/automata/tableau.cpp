// The tableau of a path formula as an automaton with acceptance on transitions, after
//   [GPVW95] R. Gerth, D. Peled, M. Vardi, P. Wolper: Simple on-the-fly automatic verification of
//            linear temporal logic. PSTV 1995.
//   [Cou99]  J.-M. Couvreur: On-the-fly verification of linear temporal logic. FM 1999.
//   [LPZ85]  O. Lichtenstein, A. Pnueli, L. Zuck: The glory of the past. 1985: past operators.
//
//   papers                  here
//   node, its obligations   Position: what must be true of the rest of the word
//   Old, Next               Cover: the letter's conditions, what must be true from the next one on
//   promise of f U g        Cover::promised; acceptance set i: transitions that do not promise U i
//   past formulas           Position::before: those that were true at the letter before
//
// A past operator is unwound into Y and Z of itself. Whether f will count as true "yesterday" is
// chosen when its letter is read, and then f becomes an obligation; where f speaks of the past
// alone, the other choice makes !f one, so that runs do not multiply and !f needs no choice of its
// own.
//
// Deviation: words may be finite. A cover in which nothing is asked of a next letter that must be
// there (X, a promise) allows the word to end; what R asks of a next letter, it asks only if there
// is one.

#include "automata/tableau.h"

#include "automata/positive_form.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <set>
#include <vector>

namespace nestor::automata {

namespace {

using logic::FormulaId;
using logic::Op;
using Formulas = std::vector<FormulaId>;  // sorted, each once

constexpr std::size_t kMostStates = 200'000;
constexpr std::size_t kMostPastFormulas = 20;

struct Position {
  Formulas obligations;
  Formulas before;
  bool is_first = false;  ///< of the word; only where the formula speaks of the past

  friend auto operator<=>(const Position&, const Position&) = default;
};

struct Cover {
  Cube cube;
  std::set<FormulaId> strong;  ///< of a next letter, which must be there
  std::set<FormulaId> weak;    ///< of a next letter if there is one
  std::set<FormulaId> before;  ///< what is remembered at the next letter
  std::uint32_t promised = 0;

  bool may_end() const { return strong.empty(); }
};

/// A branch of the tableau of one position.
struct Branch {
  Cover cover;
  Formulas todo;
  std::set<FormulaId> done;
};

bool is_subset(const std::set<FormulaId>& a, const std::set<FormulaId>& b) {
  return std::includes(b.begin(), b.end(), a.begin(), a.end());
}

class Tableau {
 public:
  Tableau(logic::FormulaPool& pool, base::LimitGuard& guard) : pool_(pool), guard_(guard) {}

  Automaton build(FormulaId positive) {
    collect(positive);
    Position first;
    first.obligations.push_back(positive);
    first.is_first = !remembered_.empty();
    number_of(std::move(first));
    for (std::size_t s = 0; s < positions_.size(); ++s) {
      guard_.tick();
      expand(s);
    }
    return std::move(automaton_);
  }

  /// After build().
  std::vector<TableauState> states(FormulaId positive, const Automaton& built) const {
    const Formulas past = past_operands(pool_, positive);
    std::vector<TableauState> states;
    for (std::size_t s = 0; s < positions_.size(); ++s) {
      TableauState& state = states.emplace_back();
      state.obligations = positions_[s].obligations;
      std::ranges::copy_if(past, std::back_inserter(state.before), [&](FormulaId f) {
        return !positions_[s].is_first && is_remembered(positions_[s], f);
      });
      std::set<TableauState::Next> targets;
      for (const Transition& t : built.states[s].transitions) {
        targets.insert({t.target, t.marks});
      }
      state.next.assign(targets.begin(), targets.end());
    }
    return states;
  }

 private:
  /// Numbers the acceptance sets and the formulas to be remembered.
  void collect(FormulaId positive) {
    for (const FormulaId f : logic::path_subformulas(pool_, positive)) {
      if (pool_[f].op == Op::U && !pool_.is_state_formula(f)) {
        if (untils_.size() == kMostMarks) {
          throw base::LimitReached{"the formula has more than 32 eventualities"};
        }
        untils_.push_back(f);
      }
    }
    automaton_.mark_count = static_cast<std::uint32_t>(untils_.size());
    // Negations may have subformulas of their own to be remembered.
    std::vector<FormulaId> open{positive};
    while (!open.empty()) {
      const FormulaId root = open.back();
      open.pop_back();
      for (const FormulaId f : logic::path_subformulas(pool_, root)) {
        const Op op = pool_[f].op;
        const bool is_step = op == Op::Y || op == Op::Z;
        const FormulaId operand = is_step ? pool_[f].left : f;
        if ((!is_step && op != Op::S && op != Op::T) || memory_.contains(operand)) {
          continue;
        }
        if (remembered_.size() == kMostPastFormulas) {
          throw base::LimitReached{"the formula has more than 20 past operators"};
        }
        memory_[operand] = {operand, false};
        remembered_.push_back({operand, FormulaId()});
        if (is_past(operand)) {
          const FormulaId negation = negated_form(pool_, operand);
          remembered_.back().negation = negation;
          memory_.try_emplace(negation, Memory{operand, true});
          open.push_back(negation);
        }
      }
    }
  }

  /// Y f or Z f.
  bool was_true(const Position& here, FormulaId f) const {
    if (here.is_first) {
      return pool_[f].op == Op::Z;
    }
    return is_remembered(here, pool_[f].left);
  }
  bool is_remembered(const Position& here, FormulaId f) const {
    const Memory& memory = memory_.at(f);
    return std::ranges::binary_search(here.before, memory.formula) != memory.is_negated;
  }

  /// No operator but those of the past.
  bool is_past(FormulaId f) const {
    for (const FormulaId g : logic::path_subformulas(pool_, f)) {
      const Op op = pool_[g].op;
      if (op == Op::X || op == Op::U || op == Op::R) {
        return false;
      }
    }
    return true;
  }

  std::uint32_t number_of(Position position) {
    const auto [place, is_new] =
        numbers_.try_emplace(position, static_cast<std::uint32_t>(positions_.size()));
    if (is_new) {
      if (positions_.size() == kMostStates) {
        throw base::LimitReached{"the automaton of the formula is too large"};
      }
      positions_.push_back(std::move(position));
      automaton_.states.emplace_back();
    }
    return place->second;
  }

  void expand(std::size_t state) {
    covers_.clear();
    std::vector<Branch> branches(1);
    branches[0].todo = positions_[state].obligations;
    for (const Remembered& r : remembered_) {
      const std::size_t count = branches.size();
      for (std::size_t i = 0; i < count; ++i) {
        Branch remembers = branches[i];
        remembers.todo.push_back(r.formula);
        remembers.cover.before.insert(r.formula);
        if (r.negation.valid()) {
          branches[i].todo.push_back(r.negation);
        }
        branches.push_back(std::move(remembers));
      }
    }
    while (!branches.empty()) {
      guard_.tick();
      Branch branch = std::move(branches.back());
      branches.pop_back();
      if (go_on(branch, positions_[state], branches)) {
        add_cover(std::move(branch.cover));
      }
    }
    for (const Cover& cover : covers_) {
      add_transition(state, cover);
    }
  }

  /// Takes apart what is to be done; other branches go to `branches`. False: a contradiction.
  bool go_on(Branch& branch, const Position& here, std::vector<Branch>& branches) {
    const auto fork = [&](FormulaId f) -> Branch& {
      branches.push_back(branch);
      branches.back().todo.push_back(f);
      return branches.back();
    };
    while (!branch.todo.empty()) {
      const FormulaId f = branch.todo.back();
      branch.todo.pop_back();
      if (!branch.done.insert(f).second) {
        continue;
      }
      if (pool_.is_state_formula(f)) {
        if (!add_literal(branch.cover.cube, f)) {
          return false;
        }
        continue;
      }
      const logic::Formula formula = pool_[f];
      switch (formula.op) {
        case Op::And:
          branch.todo.insert(branch.todo.end(), {formula.left, formula.right});
          break;
        case Op::Or:
          fork(formula.left);
          branch.todo.push_back(formula.right);
          break;
        case Op::X:
          branch.cover.strong.insert(formula.left);
          break;
        case Op::U:  // g | (f & X (f U g))
          fork(formula.right);
          branch.todo.push_back(formula.left);
          branch.cover.strong.insert(f);
          branch.cover.promised |= std::uint32_t{1}
                                   << (std::ranges::find(untils_, f) - untils_.begin());
          break;
        case Op::R:  // g & (f | next (f R g))
          branch.todo.push_back(formula.right);
          fork(formula.left);
          branch.cover.weak.insert(f);
          break;
        case Op::S:  // g | (f & Y (f S g))
          fork(formula.right);
          branch.todo.insert(branch.todo.end(), {formula.left, pool_.unary(Op::Y, f)});
          break;
        case Op::T:  // g & (f | Z (f T g))
          branch.todo.push_back(formula.right);
          fork(formula.left);
          branch.todo.push_back(pool_.unary(Op::Z, f));
          break;
        default:
          assert(formula.op == Op::Y || formula.op == Op::Z);
          if (!was_true(here, f)) {
            return false;
          }
          break;
      }
    }
    return true;
  }

  /// False: a contradiction.
  bool add_literal(Cube& cube, FormulaId f) {
    if (pool_[f].op == Op::True || pool_[f].op == Op::False) {
      return pool_[f].op == Op::True;
    }
    const bool is_negative = pool_[f].op == Op::Not;
    const FormulaId letter = is_negative ? pool_[f].left : f;
    auto place = std::ranges::find(automaton_.letters, letter);
    if (place == automaton_.letters.end()) {
      if (automaton_.letters.size() == kMostLetters) {
        throw base::LimitReached{"the formula has more than 64 propositions"};
      }
      place = automaton_.letters.insert(place, letter);
    }
    const std::uint64_t bit = std::uint64_t{1} << (place - automaton_.letters.begin());
    (is_negative ? cube.negative : cube.positive) |= bit;
    return (cube.positive & cube.negative) == 0;
  }

  /// Adds it unless another one asks less; drops those that ask more.
  void add_cover(Cover cover) {
    const auto asks_less = [](const Cover& a, const Cover& b) {
      return a.cube.includes(b.cube) && a.before == b.before && (a.promised & ~b.promised) == 0 &&
             is_subset(a.strong, b.strong) && std::ranges::all_of(a.weak, [&](FormulaId f) {
               return b.weak.contains(f) || b.strong.contains(f);
             });
    };
    for (const Cover& other : covers_) {
      if (asks_less(other, cover)) {
        return;
      }
    }
    std::erase_if(covers_, [&](const Cover& other) { return asks_less(cover, other); });
    covers_.push_back(std::move(cover));
  }

  void add_transition(std::size_t state, const Cover& cover) {
    if (cover.may_end()) {
      automaton_.states[state].endings.push_back(cover.cube);
    }
    Position next;
    std::set<FormulaId> all = cover.weak;
    all.insert(cover.strong.begin(), cover.strong.end());
    all.erase(pool_.constant(true));
    next.obligations.assign(all.begin(), all.end());
    next.before.assign(cover.before.begin(), cover.before.end());
    const std::uint32_t marks = automaton_.all_marks() & ~cover.promised;
    const std::uint32_t target = number_of(std::move(next));
    automaton_.states[state].transitions.push_back({cover.cube, marks, target});
  }

  struct Remembered {
    FormulaId formula;
    FormulaId negation;  // not valid: not asked for where the formula is not remembered
  };
  struct Memory {
    FormulaId formula;  // the one that is remembered
    bool is_negated = false;
  };

  logic::FormulaPool& pool_;
  base::LimitGuard& guard_;
  Formulas untils_;
  std::vector<Remembered> remembered_;
  std::map<FormulaId, Memory> memory_;  // by operand of Y and Z
  std::vector<Position> positions_;
  std::map<Position, std::uint32_t> numbers_;
  std::vector<Cover> covers_;
  Automaton automaton_;
};

}  // namespace

Automaton tableau(logic::FormulaPool& pool, logic::FormulaId positive, base::LimitGuard& guard) {
  return Tableau(pool, guard).build(positive);
}

std::vector<TableauState> tableau_states(logic::FormulaPool& pool, logic::FormulaId positive,
                                         base::LimitGuard& guard) {
  Tableau tableau(pool, guard);
  const Automaton built = tableau.build(positive);
  return tableau.states(positive, built);
}

std::vector<logic::FormulaId> past_operands(const logic::FormulaPool& pool, FormulaId positive) {
  std::set<FormulaId> found;
  for (const FormulaId f : logic::path_subformulas(pool, positive)) {
    const Op op = pool[f].op;
    if (op == Op::Y || op == Op::Z) {
      found.insert(pool[f].left);
    } else if (op == Op::S || op == Op::T) {
      found.insert(f);
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace nestor::automata
