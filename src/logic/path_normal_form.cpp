#include "logic/path_normal_form.h"

#include "logic/path_formula.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>

namespace nestor::logic {

namespace {

/// A formula and its negation.
struct Forms {
  FormulaId positive;
  FormulaId negative;

  Forms flipped() const { return {negative, positive}; }
};

class PathNormalizer {
 public:
  explicit PathNormalizer(FormulaPool& pool)
      : pool_(pool), true_{pool.constant(true), pool.constant(false)} {}

  FormulaId run(FormulaId root) {
    for (const FormulaId f : subformulas(pool_, root)) {
      known_[f.value()] = forms(f);
    }
    return known_.at(root.value()).positive;
  }

 private:
  Forms forms(FormulaId f) {
    const Formula formula = pool_[f];  // a copy: the pool grows
    if (formula.op == Op::Atom) {
      return {f, pool_.unary(Op::Not, f)};
    }
    if (formula.op == Op::True || formula.op == Op::False) {
      return formula.op == Op::True ? true_ : true_.flipped();
    }
    const Forms left = known_.at(formula.left.value());
    const Forms right = operand_count(formula.op) == 2 ? known_.at(formula.right.value()) : Forms();
    if (!is_quantified(formula.op)) {
      return connected(formula.op, left, right);
    }
    const bool apart = formula.op == Op::E || formula.op == Op::A;
    const Quantified outer = quantified_path(pool_, f);
    const Forms path = apart ? left : connected(pool_[outer.path].op, left, right);
    const FormulaId exists = pool_.unary(Op::E, outer.universal ? path.negative : path.positive);
    const Forms result{exists, pool_.unary(Op::Not, exists)};
    return outer.universal ? result.flipped() : result;
  }

  Forms connected(Op op, const Forms& f, const Forms& g) {
    switch (op) {
      case Op::Not:
        return f.flipped();
      case Op::And:
        return both(Op::And, Op::Or, f, g);
      case Op::Or:
        return both(Op::Or, Op::And, f, g);
      case Op::Implies:
        return both(Op::Or, Op::And, f.flipped(), g);
      case Op::Iff:
        return both(Op::Or, Op::And, both(Op::And, Op::Or, f, g),
                    both(Op::And, Op::Or, f.flipped(), g.flipped()));
      case Op::Xor:
        return both(Op::Or, Op::And, both(Op::And, Op::Or, f, g.flipped()),
                    both(Op::And, Op::Or, f.flipped(), g));
      case Op::X:  // its own dual
        return {pool_.unary(Op::X, f.positive), pool_.unary(Op::X, f.negative)};
      case Op::F:
        return both(Op::U, Op::R, true_, f);
      case Op::G:
        return both(Op::R, Op::U, true_.flipped(), f);
      case Op::U:
        return both(Op::U, Op::R, f, g);
      case Op::R:
        return both(Op::R, Op::U, f, g);
      case Op::W:  // g R (f | g)
        return both(Op::R, Op::U, g, both(Op::Or, Op::And, f, g));
      case Op::Y:
        return {pool_.unary(Op::Y, f.positive), pool_.unary(Op::Z, f.negative)};
      case Op::Z:
        return {pool_.unary(Op::Z, f.positive), pool_.unary(Op::Y, f.negative)};
      case Op::O:
        return both(Op::S, Op::T, true_, f);
      case Op::H:
        return both(Op::T, Op::S, true_.flipped(), f);
      case Op::S:
        return both(Op::S, Op::T, f, g);
      default:
        assert(op == Op::T);
        return both(Op::T, Op::S, f, g);
    }
  }

  /// An operator on two operands, and its dual on their negations.
  Forms both(Op op, Op dual, const Forms& f, const Forms& g) {
    return {pool_.binary(op, f.positive, g.positive), pool_.binary(dual, f.negative, g.negative)};
  }

  FormulaPool& pool_;
  Forms true_;
  std::unordered_map<std::uint32_t, Forms> known_;
};

}  // namespace

FormulaId path_normal_form(FormulaPool& pool, FormulaId formula) {
  return PathNormalizer(pool).run(formula);
}

}  // namespace nestor::logic
