#include "check/path_value.h"

#include "logic/path_formula.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace nestor::check {

namespace {

using logic::FormulaId;
using logic::Op;

/// Between both lies what is neither.
enum Value : std::uint8_t { kFalse, kNeither, kTrue };

Value negated(Value a) {
  return static_cast<Value>(kTrue - a);
}

bool is_past(Op op) {
  return op >= Op::Y;
}

/// Operands first; quantified formulas are atoms here.
std::vector<FormulaId> in_order(const logic::FormulaPool& pool, FormulaId path) {
  std::vector<FormulaId> order;
  std::set<FormulaId> done;
  std::vector<FormulaId> open{path};
  while (!open.empty()) {
    const FormulaId f = open.back();
    const logic::Formula& formula = pool[f];
    const int operands = logic::is_quantified(formula.op) ? 0 : logic::operand_count(formula.op);
    const bool waits_left = operands >= 1 && !done.contains(formula.left);
    const bool waits_right = operands == 2 && !done.contains(formula.right);
    if (waits_left) {
      open.push_back(formula.left);
    } else if (waits_right) {
      open.push_back(formula.right);
    } else {
      open.pop_back();
      if (done.insert(f).second) {
        order.push_back(f);
      }
    }
  }
  return order;
}

/// How many operators of the past stand inside of one another.
std::size_t past_depth(const logic::FormulaPool& pool, const std::vector<FormulaId>& order) {
  std::unordered_map<FormulaId, std::size_t> depth;
  std::size_t deepest = 0;
  for (const FormulaId f : order) {
    const logic::Formula& formula = pool[f];
    const int operands = logic::is_quantified(formula.op) ? 0 : logic::operand_count(formula.op);
    std::size_t own = is_past(formula.op) ? 1 : 0;
    std::size_t below = 0;
    for (int o = 0; o < operands; ++o) {
      below = std::max(below, depth.at(o == 0 ? formula.left : formula.right));
    }
    depth[f] = own + below;
    deepest = std::max(deepest, own + below);
  }
  return deepest;
}

class Run {
 public:
  /// What operators of the past say repeats itself after one more round for each of them that
  /// stands inside of another (Laroussinie, Markey, Schnoebelen: Temporal logic with forgettable
  /// past. LICS 2002, lemma 3.1). So the loop is written out that often, and the last round closes.
  Run(const logic::FormulaPool& pool, const Places& places, std::size_t past_depth)
      : pool_(pool), places_(places), count_(places.count) {
    if (places.loop) {
      period_ = places.count - *places.loop;
      count_ += past_depth * period_;
    }
  }

  std::optional<bool> value(const std::vector<FormulaId>& order,
                            const std::function<bool(FormulaId, std::size_t)>& state_value) {
    for (const FormulaId f : order) {
      std::vector<Value>& row = rows_[f];
      row.resize(count_);
      const logic::Formula& formula = pool_[f];
      if (formula.op >= Op::X) {
        temporal(formula, row);
        continue;
      }
      for (std::size_t i = 0; i < count_; ++i) {
        row[i] = formula.op >= Op::Not && formula.op <= Op::Xor
                     ? connective(formula, i)
                     : (state_value(f, place(i)) ? kTrue : kFalse);
      }
    }
    const Value first = rows_[order.back()].front();
    return first == kNeither ? std::nullopt : std::optional(first == kTrue);
  }

 private:
  /// Of the run as it was given.
  std::size_t place(std::size_t i) const {
    return i < places_.count ? i : *places_.loop + (i - *places_.loop) % period_;
  }

  Value connective(const logic::Formula& formula, std::size_t i) {
    const Value a = rows_[formula.left][i];
    if (formula.op == Op::Not) {
      return negated(a);
    }
    const Value b = rows_[formula.right][i];
    switch (formula.op) {
      case Op::And:
        return std::min(a, b);
      case Op::Or:
        return std::max(a, b);
      case Op::Implies:
        return std::max(negated(a), b);
      case Op::Iff:
        return std::min(std::max(negated(a), b), std::max(a, negated(b)));
      default:
        return std::min(std::max(a, b), std::max(negated(a), negated(b)));
    }
  }

  void temporal(const logic::Formula& formula, std::vector<Value>& row) {
    const std::vector<Value>& left = rows_[formula.left];
    const std::vector<Value>& right =
        logic::operand_count(formula.op) == 2 ? rows_[formula.right] : left;
    if (is_past(formula.op)) {
      for (std::size_t i = 0; i < count_; ++i) {
        row[i] = since(formula.op, left[i], right[i], i == 0 ? nullptr : &left[i - 1],
                       i == 0 ? nullptr : &row[i - 1]);
      }
      return;
    }
    // Backwards from the end. Where that is a loop the values there are a fixpoint, the least or
    // the greatest: two rounds find it, as one carries what is found at its end to its beginning.
    const bool is_greatest = formula.op == Op::G || formula.op == Op::R || formula.op == Op::W;
    Value after = is_greatest ? kTrue : kFalse;
    for (int round = 0; round < 2; ++round) {
      for (std::size_t i = count_; i-- > 0;) {
        const bool is_last = i + 1 == count_;
        const std::size_t next = is_last && places_.loop ? count_ - period_ : i + 1;
        const bool ends = is_last && !places_.loop;
        row[i] = until(formula.op, left[i], right[i], ends ? nullptr : &left[next],
                       ends ? nullptr : (is_last ? &after : &row[next]));
      }
      after = places_.loop ? row[count_ - period_] : after;
    }
  }

  /// `next`: the operand's value at the next place; `later`: the formula's own there; null at the
  /// end.
  static Value until(Op op, Value left, Value right, const Value* next, const Value* later) {
    switch (op) {
      case Op::X:
        return next == nullptr ? kNeither : *next;
      case Op::F:
        return later == nullptr ? left : std::max(left, *later);
      case Op::G:
        return later == nullptr ? left : std::min(left, *later);
      case Op::U:
        return later == nullptr ? right : std::max(right, std::min(left, *later));
      case Op::W:
        return later == nullptr ? std::max(left, right) : std::max(right, std::min(left, *later));
      default:  // R
        return later == nullptr ? right : std::min(right, std::max(left, *later));
    }
  }

  /// The same for the past.
  static Value since(Op op, Value left, Value right, const Value* last, const Value* earlier) {
    switch (op) {
      case Op::Y:
        return last == nullptr ? kFalse : *last;
      case Op::Z:
        return last == nullptr ? kTrue : *last;
      case Op::O:
        return earlier == nullptr ? left : std::max(left, *earlier);
      case Op::H:
        return earlier == nullptr ? left : std::min(left, *earlier);
      case Op::S:
        return earlier == nullptr ? right : std::max(right, std::min(left, *earlier));
      default:  // T
        return earlier == nullptr ? right : std::min(right, std::max(left, *earlier));
    }
  }

  const logic::FormulaPool& pool_;
  const Places& places_;
  std::size_t count_;  // with the rounds that were added
  std::size_t period_ = 0;
  std::unordered_map<FormulaId, std::vector<Value>> rows_;
};

}  // namespace

std::optional<bool> path_value(const logic::FormulaPool& pool, FormulaId path, const Places& places,
                               const std::function<bool(FormulaId, std::size_t)>& state_value) {
  const std::vector<FormulaId> order = in_order(pool, path);
  return Run(pool, places, past_depth(pool, order)).value(order, state_value);
}

}  // namespace nestor::check
