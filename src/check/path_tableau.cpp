#include "check/path_tableau.h"

#include <algorithm>

namespace nestor::check {

using logic::Op;

PathTableau::PathTableau(const PathCertificate& certificate, const std::vector<bool>& is_path,
                         Number formula)
    : c_(certificate), is_path_(is_path), formula_(formula) {
  std::vector<Number> open{c_.formulas[formula].left};
  while (!open.empty()) {
    const Number f = open.back();
    open.pop_back();
    if (!closure_.insert(f).second || !is_path_[f]) {
      continue;
    }
    open.push_back(c_.formulas[f].left);
    if (logic::operand_count(c_.formulas[f].op) == 2) {
      open.push_back(c_.formulas[f].right);
    }
  }
  for (const Number f : closure_) {
    const Op op = c_.formulas[f].op;
    if (!is_path_[f]) {
      leaves_.push_back(f);
    } else if (op == Op::U) {
      sets_.push_back(f);
    } else if (op == Op::Y || op == Op::Z) {
      past_.insert(c_.formulas[f].left);
    } else if (op == Op::S || op == Op::T) {
      past_.insert(f);
    }
  }
  has_until_ = !sets_.empty();
  if (!has_until_) {
    sets_.push_back(formula);
  }
}

PathTableau::Sets PathTableau::set_bit(Number f) const {
  return Sets{1} << (std::ranges::find(sets_, f) - sets_.begin());
}

/// Whether f was true at the letter before; `at_first` where there is none.
bool PathTableau::was_true(std::uint32_t state, Number f, bool at_first) const {
  return state == 0 ? at_first : c_.states[formula_][state].before.contains(f);
}

/// Which formulas of the closure are true where the letter is read in `state`, and then the next
/// one where the transition leads, whose sets are not put off; null: there is no next one.
std::map<PathTableau::Number, bool> PathTableau::truth(
    const Letter& letter, std::uint32_t state, const PathCertificate::Transition* next) const {
  std::map<Number, bool> truth;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    truth[leaves_[i]] = letter[i];
  }
  const auto after = [&](Number f) {
    return next != nullptr && (c_.formulas[f].op == Op::True ||
                               c_.states[formula_][next->state].obligations.contains(f));
  };
  for (const Number f : closure_) {
    if (!is_path_[f]) {
      continue;
    }
    const PathCertificate::Subformula& formula = c_.formulas[f];
    const auto left = [&] { return truth.at(formula.left); };
    const auto right = [&] { return truth.at(formula.right); };
    bool value = false;
    switch (formula.op) {
      case Op::And:
        value = left() && right();
        break;
      case Op::Or:
        value = left() || right();
        break;
      case Op::X:
        value = after(formula.left);
        break;
      case Op::U:
        value =
            right() || (left() && after(f) && std::ranges::find(next->sets, f) == next->sets.end());
        break;
      case Op::R:
        value = right() && (left() || next == nullptr || after(f));
        break;
      case Op::Y:
      case Op::Z:
        value = was_true(state, formula.left, formula.op == Op::Z);
        break;
      case Op::S:
        value = right() || (left() && was_true(state, f, false));
        break;
      default:  // T
        value = right() && (left() || was_true(state, f, true));
        break;
    }
    truth[f] = value;
  }
  return truth;
}

PathTableau::Sets PathTableau::sets_of(const std::vector<Number>& sets) const {
  Sets found = 0;
  for (const Number u : sets) {
    found |= set_bit(u);
  }
  return found;
}

PathTableau::Sets PathTableau::sets_of(std::uint32_t state, std::uint32_t transition) const {
  return has_until_ ? sets_of(c_.states[formula_][state].next[transition].sets) : Sets{1};
}

bool PathTableau::allows(const Letter& letter, std::uint32_t state, std::uint32_t transition) {
  const auto [known, is_new] = known_.try_emplace({letter, {state, transition}}, false);
  if (is_new) {
    const PathCertificate::State& from = c_.states[formula_][state];
    const PathCertificate::Transition& next = from.next[transition];
    const std::map<Number, bool> now = truth(letter, state, &next);
    const auto is_true = [&](Number f) { return now.at(f); };
    known->second = std::ranges::all_of(from.obligations, is_true) &&
                    std::ranges::all_of(c_.states[formula_][next.state].before, is_true);
  }
  return known->second;
}

bool PathTableau::may_end(const Letter& letter, std::uint32_t state) const {
  const std::map<Number, bool> now = truth(letter, state, nullptr);
  return std::ranges::all_of(c_.states[formula_][state].obligations,
                             [&](Number f) { return now.at(f); });
}

/// No operator but those of the past.
bool PathTableau::is_past(Number f) const {
  std::vector<Number> open{f};
  while (!open.empty()) {
    const PathCertificate::Subformula& formula = c_.formulas[open.back()];
    const bool is_path = is_path_[open.back()];
    open.pop_back();
    if (!is_path) {
      continue;
    }
    if (formula.op == Op::X || formula.op == Op::U || formula.op == Op::R) {
      return false;
    }
    open.push_back(formula.left);
    if (logic::operand_count(formula.op) == 2) {
      open.push_back(formula.right);
    }
  }
  return true;
}

bool PathTableau::is_complete(const Letter& letter, std::uint32_t state) {
  const auto [known, is_new] = complete_.try_emplace({letter, state}, true);
  if (!is_new) {
    return known->second;
  }
  const std::map<Number, bool> now = truth(letter, state, nullptr);
  const std::set<Number>& asked = c_.states[formula_][state].obligations;
  std::vector<Case> cases(1);
  cases[0].open.assign(asked.begin(), asked.end());
  for (const Number f : past_) {
    if (is_past(f)) {  // letter and state tell whether it is true
      for (Case& one : cases) {
        if (now.at(f)) {
          one.remembered.insert(f);
        }
      }
      continue;
    }
    const std::size_t count = cases.size();
    for (std::size_t i = 0; i < count; ++i) {
      Case is_true = cases[i];
      is_true.open.push_back(f);
      is_true.remembered.insert(f);
      cases.push_back(std::move(is_true));
    }
  }
  while (!cases.empty()) {
    Case one = std::move(cases.back());
    cases.pop_back();
    if (decide(one, letter, state, cases) && !is_covered(one, letter, state)) {
      complete_[{letter, state}] = false;
      return false;
    }
  }
  return true;
}

/// Takes apart what must be true; where there is a choice the other cases go to `others`. False if
/// it cannot be true.
bool PathTableau::decide(Case& now, const Letter& letter, std::uint32_t state,
                         std::vector<Case>& others) const {
  const auto fork = [&](Number f) {
    others.push_back(now);
    others.back().open.push_back(f);
  };
  while (!now.open.empty()) {
    const Number f = now.open.back();
    now.open.pop_back();
    if (!now.done.insert(f).second) {
      continue;
    }
    const PathCertificate::Subformula& formula = c_.formulas[f];
    if (!is_path_[f]) {
      const auto place = std::ranges::lower_bound(leaves_, f) - leaves_.begin();
      if (!letter[static_cast<std::size_t>(place)]) {
        return false;
      }
      continue;
    }
    switch (formula.op) {
      case Op::And:
        now.open.insert(now.open.end(), {formula.left, formula.right});
        break;
      case Op::Or:
        fork(formula.left);
        now.open.push_back(formula.right);
        break;
      case Op::X:
        now.next.insert(formula.left);
        break;
      case Op::U:  // the right side, or the left one and again from the next letter on
        fork(formula.right);
        now.open.push_back(formula.left);
        now.next.insert(f);
        now.put_off |= set_bit(f);
        break;
      case Op::R:  // the right side, and the left one or again
        now.open.push_back(formula.right);
        fork(formula.left);
        now.next.insert(f);
        break;
      case Op::Y:
      case Op::Z:
        if (!was_true(state, formula.left, formula.op == Op::Z)) {
          return false;
        }
        break;
      case Op::S:
        if (was_true(state, f, false)) {
          fork(formula.left);
        }
        now.open.push_back(formula.right);
        break;
      default:  // T
        now.open.push_back(formula.right);
        if (!was_true(state, f, true)) {
          now.open.push_back(formula.left);
        }
        break;
    }
  }
  return true;
}

/// A transition asks no more of the next letter, remembers as much and puts off no other U.
bool PathTableau::is_covered(const Case& now, const Letter& letter, std::uint32_t state) {
  const Sets all = sets_.size() == kMostSets ? ~Sets{0} : (Sets{1} << sets_.size()) - 1;
  const std::vector<PathCertificate::Transition>& transitions = c_.states[formula_][state].next;
  for (std::uint32_t t = 0; t < transitions.size(); ++t) {
    const PathCertificate::State& target = c_.states[formula_][transitions[t].state];
    if (((sets_of(state, t) | now.put_off) & all) == all &&
        std::ranges::includes(now.next, target.obligations) &&
        std::ranges::includes(target.before, now.remembered) && allows(letter, state, t)) {
      return true;
    }
  }
  return false;
}

}  // namespace nestor::check
