// Negation normal form with the simplifications that make automata small, after
//   [SB00] F. Somenzi, R. Bloem: Efficient Büchi automata from LTL formulae. CAV 2000, section 3.
//   [EH00] K. Etessami, G. Holzmann: Optimizing Büchi automata. CONCUR 2000, section 3.
//
// Deviation: words may be finite and X is strong, so rules that pull X out of G are left out.

#include "automata/positive_form.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace nestor::automata {

namespace {

using logic::FormulaId;
using logic::Op;

/// How many pairs of subformulas are compared to find that one formula implies another.
constexpr int kMostComparisons = 200;

class PositiveBuilder {
 public:
  explicit PositiveBuilder(logic::FormulaPool& pool)
      : pool_(pool), true_(pool.constant(true)), false_(pool.constant(false)) {}

  FormulaId constant(bool value) const { return value ? true_ : false_; }

  FormulaId state_formula(FormulaId f, bool negated) {
    const Op op = pool_[f].op;
    if (op == Op::True || op == Op::False) {
      return constant((op == Op::True) != negated);
    }
    if (op == Op::Not) {
      const FormulaId operand = pool_[f].left;
      return negated ? operand : f;
    }
    return negated ? pool_.unary(Op::Not, f) : f;
  }

  FormulaId conjunction(FormulaId f, FormulaId g) {
    if (f == false_ || g == false_ || contradict(f, g)) {
      return false_;
    }
    if (implies(f, g)) {
      return f;
    }
    if (implies(g, f)) {
      return g;
    }
    const logic::Formula a = pool_[f];
    const logic::Formula b = pool_[g];
    // match: X f & X g   result: X (f & g)
    if (a.op == Op::X && b.op == Op::X) {
      return next(conjunction(a.left, b.left));
    }
    // match: (f R g) & (f R h)   result: f R (g & h)
    if (a.op == Op::R && b.op == Op::R && a.left == b.left) {
      return release(a.left, conjunction(a.right, b.right));
    }
    // match: (f U h) & (g U h)   result: (f & g) U h
    if (a.op == Op::U && b.op == Op::U && a.right == b.right) {
      return until(conjunction(a.left, b.left), a.right);
    }
    // match: F G f & F G g   result: F G (f & g)
    if (is_finally(f) && is_finally(g) && is_globally(a.right) && is_globally(b.right)) {
      return until(true_, conjunction(a.right, b.right));
    }
    return pool_.binary(Op::And, std::min(f, g), std::max(f, g));
  }

  FormulaId disjunction(FormulaId f, FormulaId g) {
    if (f == true_ || g == true_ || contradict(f, g)) {
      return true_;
    }
    if (implies(f, g)) {
      return g;
    }
    if (implies(g, f)) {
      return f;
    }
    const logic::Formula a = pool_[f];
    const logic::Formula b = pool_[g];
    // match: X f | X g   result: X (f | g)
    if (a.op == Op::X && b.op == Op::X) {
      return next(disjunction(a.left, b.left));
    }
    // match: (f U g) | (f U h)   result: f U (g | h)
    if (a.op == Op::U && b.op == Op::U && a.left == b.left) {
      return until(a.left, disjunction(a.right, b.right));
    }
    // match: (f R h) | (g R h)   result: (f | g) R h
    if (a.op == Op::R && b.op == Op::R && a.right == b.right) {
      return release(disjunction(a.left, b.left), a.right);
    }
    // match: G F f | G F g   result: G F (f | g)
    if (is_globally(f) && is_globally(g) && is_finally(a.right) && is_finally(b.right)) {
      return release(false_, disjunction(a.right, b.right));
    }
    return pool_.binary(Op::Or, std::min(f, g), std::max(f, g));
  }

  FormulaId next(FormulaId f) {
    // match: X false   result: false   (X true is false at the end)
    return f == false_ ? false_ : pool_.unary(Op::X, f);
  }

  FormulaId until(FormulaId f, FormulaId g) {
    if (g == true_ || g == false_ || f == false_ || implies(f, g)) {
      return g;
    }
    const logic::Formula right = pool_[g];
    // match: f U (h U k), f implies h   result: h U k
    if (right.op == Op::U && implies(f, right.left)) {
      return g;
    }
    // match: (h U g) U g   result: h U g
    if (pool_[f].op == Op::U && pool_[f].right == g) {
      return f;
    }
    if (f == true_) {
      // match: F G F h   result: G F h
      if (is_globally(g) && is_finally(right.right)) {
        return g;
      }
      // match: F X h   result: X F h
      if (right.op == Op::X) {
        return next(until(true_, right.left));
      }
      // match: F (h U k)   result: F k
      if (right.op == Op::U) {
        return until(true_, right.right);
      }
    }
    return pool_.binary(Op::U, f, g);
  }

  FormulaId release(FormulaId f, FormulaId g) {
    if (g == true_ || g == false_ || f == true_ || implies(g, f)) {
      return g;
    }
    const logic::Formula right = pool_[g];
    // match: f R (h R k), h implies f   result: h R k
    if (right.op == Op::R && implies(right.left, f)) {
      return g;
    }
    // match: (h R g) R g   result: h R g
    if (pool_[f].op == Op::R && pool_[f].right == g) {
      return f;
    }
    if (f == false_) {
      // match: G F G h   result: F G h
      if (is_finally(g) && is_globally(right.right)) {
        return g;
      }
      // match: G (h R k)   result: G k
      if (right.op == Op::R) {
        return release(false_, right.right);
      }
    }
    return pool_.binary(Op::R, f, g);
  }

  FormulaId since(FormulaId f, FormulaId g) {
    return g == true_ || g == false_ || f == false_ || f == g ? g : pool_.binary(Op::S, f, g);
  }
  FormulaId triggered(FormulaId f, FormulaId g) {
    return g == true_ || g == false_ || f == true_ || f == g ? g : pool_.binary(Op::T, f, g);
  }
  FormulaId yesterday(FormulaId f) { return f == false_ ? false_ : pool_.unary(Op::Y, f); }
  FormulaId weak_yesterday(FormulaId f) { return f == true_ ? true_ : pool_.unary(Op::Z, f); }

 private:
  bool is_finally(FormulaId f) const { return pool_[f].op == Op::U && pool_[f].left == true_; }
  bool is_globally(FormulaId f) const { return pool_[f].op == Op::R && pool_[f].left == false_; }

  /// A state formula and its negation.
  bool contradict(FormulaId f, FormulaId g) const {
    return (pool_[f].op == Op::Not && pool_[f].left == g) ||
           (pool_[g].op == Op::Not && pool_[g].left == f);
  }

  bool implies(FormulaId f, FormulaId g) const {
    int budget = kMostComparisons;
    return implies(f, g, budget);
  }

  /// Found by the form of the two: false if it cannot be seen. The depth is bounded by the budget.
  bool implies(FormulaId f, FormulaId g, int& budget) const {
    if (f == g || f == false_ || g == true_) {
      return true;
    }
    if (--budget < 0) {
      return false;
    }
    const logic::Formula& a = pool_[f];
    const logic::Formula& b = pool_[g];
    const bool a_is_path = !pool_.is_state_formula(f);
    const bool b_is_path = !pool_.is_state_formula(g);
    if (a.op == Op::Or && a_is_path) {
      return implies(a.left, g, budget) && implies(a.right, g, budget);
    }
    if (b.op == Op::And && b_is_path) {
      return implies(f, b.left, budget) && implies(f, b.right, budget);
    }
    if (a.op == b.op && a_is_path && b_is_path && logic::is_path_operator(a.op) &&
        implies(a.left, b.left, budget) &&
        (logic::operand_count(a.op) == 1 || implies(a.right, b.right, budget))) {
      return true;
    }
    if (b_is_path && b.op == Op::Or &&
        (implies(f, b.left, budget) || implies(f, b.right, budget))) {
      return true;
    }
    if (a_is_path && a.op == Op::And &&
        (implies(a.left, g, budget) || implies(a.right, g, budget))) {
      return true;
    }
    if (a_is_path && (a.op == Op::R || a.op == Op::T) && implies(a.right, g, budget)) {
      return true;  // f R g says g now
    }
    if (b_is_path && (b.op == Op::U || b.op == Op::S) && implies(f, b.right, budget)) {
      return true;
    }
    if (a_is_path && a.op == Op::U && implies(a.right, g, budget) && implies(a.left, g, budget)) {
      return true;  // f U g says f or g now
    }
    return b_is_path && b.op == Op::R && implies(f, b.right, budget) && implies(f, b.left, budget);
  }

  logic::FormulaPool& pool_;
  FormulaId true_;
  FormulaId false_;
};

struct BothSigns {
  FormulaId positive;
  FormulaId negative;

  FormulaId of(bool negated) const { return negated ? negative : positive; }
};

/// The form of an operator, or of its negation, on operands in both forms.
FormulaId form_of(PositiveBuilder& make, Op op, const BothSigns& f, const BothSigns& g, bool neg) {
  switch (op) {
    case Op::Not:
      return f.of(!neg);
    case Op::And:
      return neg ? make.disjunction(f.negative, g.negative)
                 : make.conjunction(f.positive, g.positive);
    case Op::Or:
      return neg ? make.conjunction(f.negative, g.negative)
                 : make.disjunction(f.positive, g.positive);
    case Op::Implies:
      return neg ? make.conjunction(f.positive, g.negative)
                 : make.disjunction(f.negative, g.positive);
    case Op::Iff:
    case Op::Xor: {
      const bool is_equal = (op == Op::Iff) != neg;
      return make.disjunction(make.conjunction(f.positive, g.of(!is_equal)),
                              make.conjunction(f.negative, g.of(is_equal)));
    }
    case Op::X:  // its own dual
      return make.next(f.of(neg));
    case Op::F:
      return neg ? make.release(make.constant(false), f.negative)
                 : make.until(make.constant(true), f.positive);
    case Op::G:
      return neg ? make.until(make.constant(true), f.negative)
                 : make.release(make.constant(false), f.positive);
    case Op::U:
      return neg ? make.release(f.negative, g.negative) : make.until(f.positive, g.positive);
    case Op::R:
      return neg ? make.until(f.negative, g.negative) : make.release(f.positive, g.positive);
    case Op::W:  // g R (f | g), and negated (!g) U (!f & !g)
      return neg ? make.until(g.negative, make.conjunction(f.negative, g.negative))
                 : make.release(g.positive, make.disjunction(f.positive, g.positive));
    case Op::Y:
      return neg ? make.weak_yesterday(f.negative) : make.yesterday(f.positive);
    case Op::Z:
      return neg ? make.yesterday(f.negative) : make.weak_yesterday(f.positive);
    case Op::O:
      return neg ? make.triggered(make.constant(false), f.negative)
                 : make.since(make.constant(true), f.positive);
    case Op::H:
      return neg ? make.since(make.constant(true), f.negative)
                 : make.triggered(make.constant(false), f.positive);
    case Op::S:
      return neg ? make.triggered(f.negative, g.negative) : make.since(f.positive, g.positive);
    case Op::T:
      return neg ? make.since(f.negative, g.negative) : make.triggered(f.positive, g.positive);
    default:
      break;
  }
  assert(false);  // the rest are state formulas
  return FormulaId();
}

}  // namespace

logic::FormulaId positive_form(logic::FormulaPool& pool, logic::FormulaId path, bool negated) {
  PositiveBuilder make(pool);
  const std::vector<FormulaId> all = logic::path_subformulas(pool, path);
  std::vector<BothSigns> forms(all.size());
  const auto form = [&](FormulaId f) {
    return f.valid()
               ? forms[static_cast<std::size_t>(std::ranges::lower_bound(all, f) - all.begin())]
               : BothSigns();
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const logic::Formula formula = pool[all[i]];  // a copy: the pool grows
    if (pool.is_state_formula(all[i])) {
      forms[i] = {make.state_formula(all[i], false), make.state_formula(all[i], true)};
      continue;
    }
    const BothSigns f = form(formula.left);
    const BothSigns g = form(formula.right);
    forms[i].positive = form_of(make, formula.op, f, g, false);
    forms[i].negative = form_of(make, formula.op, f, g, true);
  }
  return forms.back().of(negated);
}

logic::FormulaId negated_form(logic::FormulaPool& pool, logic::FormulaId positive) {
  return positive_form(pool, positive, true);
}

}  // namespace nestor::automata
