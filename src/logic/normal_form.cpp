#include "logic/normal_form.h"

#include "base/error.h"

#include <algorithm>
#include <cassert>

namespace nestor::logic {

namespace {

/// Makes formulas of existential normal form from such formulas. What is trivially constant
/// disappears; every rule here also holds in dead ends.
class NormalFormBuilder {
 public:
  explicit NormalFormBuilder(FormulaPool& pool)
      : pool_(pool), true_(pool.constant(true)), false_(pool.unary(Op::Not, true_)) {}

  FormulaId top() const { return true_; }
  FormulaId bottom() const { return false_; }

  FormulaId negation(FormulaId f) {
    // match: !!f   result: f
    return pool_[f].op == Op::Not ? pool_[f].left : pool_.unary(Op::Not, f);
  }

  FormulaId disjunction(FormulaId f, FormulaId g) {
    // match: f | true, f | !f   result: true
    if (f == true_ || g == true_ || negates(f, g) || negates(g, f)) {
      return true_;
    }
    // match: f | false, f | f   result: f
    if (g == false_ || f == g) {
      return f;
    }
    return f == false_ ? g : pool_.binary(Op::Or, f, g);
  }

  FormulaId conjunction(FormulaId f, FormulaId g) {
    return negation(disjunction(negation(f), negation(g)));
  }

  FormulaId next(FormulaId f) {
    // match: EX false   result: false   (EX true is false in dead ends, so it stays)
    return f == false_ ? false_ : pool_.unary(Op::EX, f);
  }

  FormulaId until(FormulaId f, FormulaId g) {
    // match: E [f U true], E [f U false], E [false U g], E [g U g]   result: the right operand
    if (g == true_ || g == false_ || f == false_ || f == g) {
      return g;
    }
    return pool_.binary(Op::EU, f, g);
  }

  FormulaId globally(FormulaId f) {
    // match: EG true, EG false   result: f   (every state begins some maximal path)
    return f == true_ || f == false_ ? f : pool_.unary(Op::EG, f);
  }

 private:
  bool negates(FormulaId f, FormulaId g) const {
    return pool_[f].op == Op::Not && pool_[f].left == g;
  }

  FormulaPool& pool_;
  FormulaId true_;
  FormulaId false_;
};

/// The normal form of an operator applied to `f` and `g`, which are in normal form already.
FormulaId rewrite(NormalFormBuilder& make, Op op, FormulaId f, FormulaId g) {
  switch (op) {
    case Op::True:
      return make.top();
    case Op::False:
      return make.bottom();
    case Op::Not:
      return make.negation(f);
    case Op::And:
      return make.conjunction(f, g);
    case Op::Or:
      return make.disjunction(f, g);
    case Op::Implies:
      return make.disjunction(make.negation(f), g);
    case Op::Iff:  // (f & g) | !(f | g)
      return make.disjunction(make.conjunction(f, g), make.negation(make.disjunction(f, g)));
    case Op::Xor:  // (f | g) & !(f & g)
      return make.conjunction(make.disjunction(f, g), make.negation(make.conjunction(f, g)));
    case Op::EX:
      return make.next(f);
    case Op::EF:  // E [true U f]
      return make.until(make.top(), f);
    case Op::EG:
      return make.globally(f);
    case Op::EU:
      return make.until(f, g);
    case Op::EW:  // E [f U g] | EG f
      return make.disjunction(make.until(f, g), make.globally(f));
    case Op::ER:  // E [g U (f & g)] | EG g
      return make.disjunction(make.until(g, make.conjunction(f, g)), make.globally(g));
    case Op::AX:  // !EX !f
      return make.negation(make.next(make.negation(f)));
    case Op::AF:  // !EG !f
      return make.negation(make.globally(make.negation(f)));
    case Op::AG:  // !E [true U !f]
      return make.negation(make.until(make.top(), make.negation(f)));
    case Op::AU: {  // !(E [!g U !(f | g)] | EG !g)
      const FormulaId not_g = make.negation(g);
      const FormulaId neither = make.negation(make.disjunction(f, g));
      return make.negation(make.disjunction(make.until(not_g, neither), make.globally(not_g)));
    }
    case Op::AW:  // !E [!g U !(f | g)]
      return make.negation(make.until(make.negation(g), make.negation(make.disjunction(f, g))));
    case Op::AR:  // !E [!f U !g]
      return make.negation(make.until(make.negation(f), make.negation(g)));
    default:
      break;
  }
  assert(false);  // an atom has no operator to rewrite, and what is not CTL has no such form
  return FormulaId();
}

}  // namespace

std::vector<FormulaId> existential_normal_forms(FormulaPool& pool, FormulaId formula) {
  if (!pool.is_ctl(formula)) {
    throw base::Error(base::Error::Kind::Unsupported,
                      "a path formula beyond CTL stands where one of CTL is expected");
  }
  NormalFormBuilder make(pool);
  const std::vector<FormulaId> all = subformulas(pool, formula);
  std::vector<FormulaId> results(all.size());  // results[i] is the normal form of all[i]
  const auto result_of = [&](FormulaId id) {
    const auto place = std::lower_bound(all.begin(), all.end(), id);
    return results[static_cast<std::size_t>(place - all.begin())];
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Formula current = pool[all[i]];  // a copy: rewriting makes the pool grow
    if (current.op == Op::Atom) {
      results[i] = all[i];
      continue;
    }
    const int operands = operand_count(current.op);
    const FormulaId left = operands >= 1 ? result_of(current.left) : FormulaId();
    const FormulaId right = operands == 2 ? result_of(current.right) : FormulaId();
    results[i] = rewrite(make, current.op, left, right);
  }
  return results;
}

FormulaId existential_normal_form(FormulaPool& pool, FormulaId formula) {
  return existential_normal_forms(pool, formula).back();
}

}  // namespace nestor::logic
