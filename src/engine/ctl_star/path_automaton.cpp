#include "engine/ctl_star/path_automaton.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::ctl_star {

using logic::FormulaId;
using logic::Op;

PathAutomaton::PathAutomaton(logic::FormulaPool& pool, FormulaId path, base::LimitGuard& guard)
    : pool_(pool),
      states_(automata::tableau_states(pool, path, guard)),
      closure_(logic::path_subformulas(pool, path)) {
  for (const FormulaId f : closure_) {
    if (pool.is_state_formula(f)) {
      leaves_.push_back(f);
    } else if (pool[f].op == Op::U) {
      sets_.push_back(f);
    }
  }
}

std::uint32_t PathAutomaton::letter(const Letter& letter) {
  const auto [found, is_new] =
      numbers_.try_emplace(letter, static_cast<std::uint32_t>(letters_.size()));
  if (is_new) {
    letters_.push_back(letter);
    readings_.resize(letters_.size() * states_.size());
  }
  return found->second;
}

std::size_t PathAutomaton::place(FormulaId f) const {
  const auto found = std::ranges::lower_bound(closure_, f);
  assert(found != closure_.end() && *found == f);
  return static_cast<std::size_t>(found - closure_.begin());
}

bool PathAutomaton::holds(const std::vector<bool>& truth,
                          std::span<const FormulaId> formulas) const {
  return std::ranges::all_of(formulas, [&](FormulaId f) { return truth[place(f)]; });
}

std::vector<bool> PathAutomaton::truth(const Letter& letter, std::uint32_t state,
                                       const automata::TableauState::Next* next) const {
  const auto among = [](const std::vector<FormulaId>& formulas, FormulaId f) {
    return std::ranges::binary_search(formulas, f);
  };
  const auto after = [&](FormulaId f) {
    return next != nullptr &&
           (pool_[f].op == Op::True || among(states_[next->state].obligations, f));
  };
  const bool is_first = state == 0;
  const std::vector<FormulaId>& before = states_[state].before;
  std::vector<bool> truth;
  for (const FormulaId f : closure_) {
    const logic::Formula& formula = pool_[f];
    const auto left = [&] { return truth[place(formula.left)]; };
    const auto right = [&] { return truth[place(formula.right)]; };
    bool value = false;
    if (pool_.is_state_formula(f)) {
      value = letter[static_cast<std::size_t>(std::ranges::find(leaves_, f) - leaves_.begin())];
    } else if (formula.op == Op::And) {
      value = left() && right();
    } else if (formula.op == Op::Or) {
      value = left() || right();
    } else if (formula.op == Op::X) {
      value = after(formula.left);
    } else if (formula.op == Op::U) {
      const auto set = std::ranges::find(sets_, f) - sets_.begin();
      const bool is_put_off = next != nullptr && ((next->marks >> set) & 1) == 0;
      value = right() || (left() && is_put_off && after(f));
    } else if (formula.op == Op::R) {
      value = right() && (left() || next == nullptr || after(f));
    } else if (formula.op == Op::Y) {
      value = !is_first && among(before, formula.left);
    } else if (formula.op == Op::Z) {
      value = is_first || among(before, formula.left);
    } else if (formula.op == Op::S) {
      value = right() || (left() && !is_first && among(before, f));
    } else {
      assert(formula.op == Op::T);
      value = right() && (left() || is_first || among(before, f));
    }
    truth.push_back(value);
  }
  return truth;
}

PathAutomaton::Reading& PathAutomaton::reading(std::uint32_t letter, std::uint32_t state) {
  Reading& found = readings_[letter * states_.size() + state];
  if (found.is_known) {
    return found;
  }
  found.is_known = true;
  const std::vector<FormulaId>& asked = states_[state].obligations;
  found.may_end = holds(truth(letters_[letter], state, nullptr), asked);
  for (std::uint32_t t = 0; t < states_[state].next.size(); ++t) {
    const automata::TableauState::Next& next = states_[state].next[t];
    const std::vector<bool> true_now = truth(letters_[letter], state, &next);
    if (holds(true_now, asked) && holds(true_now, states_[next.state].before)) {
      found.moves.push_back({t, next.state, sets_.empty() ? 1U : next.marks});
    }
  }
  return found;
}

const std::vector<PathAutomaton::Move>& PathAutomaton::moves(std::uint32_t letter,
                                                             std::uint32_t state) {
  return reading(letter, state).moves;
}

bool PathAutomaton::may_end(std::uint32_t letter, std::uint32_t state) {
  return reading(letter, state).may_end;
}

}  // namespace nestor::engine::ctl_star
