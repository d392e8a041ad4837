#include "generate/random_formula.h"

#include <array>

namespace nestor {

namespace {

constexpr std::array kConnectives = {Op::And, Op::Or, Op::Implies, Op::Iff, Op::Xor};
constexpr std::array kUnaryQuantifiers = {Op::EX, Op::EF, Op::EG, Op::AX, Op::AF, Op::AG};
constexpr std::array kBinaryQuantifiers = {Op::EU, Op::EW, Op::ER, Op::AU, Op::AW, Op::AR};

template <class Choices>
Op pick(const Choices& choices, Random& random) {
  return choices[random.below(choices.size())];
}

class Generator {
 public:
  Generator(FormulaPool& pool, const RandomFormulaOptions& options, Random& random)
      : pool_(pool), options_(options), random_(random) {}

  /// Goes up by one quantifier at a time, so the depth of the formula is never the C++ stack's.
  FormulaId run() {
    FormulaId formula = connect(literal());
    for (std::size_t depth = 0; depth < options_.quantifier_depth; ++depth) {
      formula = connect(negate(quantify(formula, depth)));
    }
    return formula;
  }

 private:
  FormulaId literal() {
    if (options_.propositions.empty() || random_.chance(0.03)) {
      return pool_.constant(random_.chance(0.5));
    }
    return negate(pool_.atom(options_.propositions[random_.below(options_.propositions.size())]));
  }

  FormulaId negate(FormulaId formula) {
    return random_.chance(options_.negation) ? pool_.unary(Op::Not, formula) : formula;
  }

  /// A formula with at most `depth` quantifiers on a branch, to stand beside the deepest branch.
  FormulaId beside(std::size_t depth) {
    FormulaId formula = literal();
    for (std::size_t d = random_.below(depth + 1); d > 0; --d) {
      formula = negate(pool_.unary(pick(kUnaryQuantifiers, random_), formula));
    }
    return formula;
  }

  FormulaId quantify(FormulaId formula, std::size_t depth) {
    if (random_.chance(0.5)) {
      return pool_.unary(pick(kUnaryQuantifiers, random_), formula);
    }
    const FormulaId other = beside(depth);
    const Op op = pick(kBinaryQuantifiers, random_);
    return random_.chance(0.5) ? pool_.binary(op, formula, other)
                               : pool_.binary(op, other, formula);
  }

  FormulaId connect(FormulaId formula) {
    for (std::size_t n = random_.below(options_.width + 1); n > 0; --n) {
      const FormulaId other = literal();
      const Op op = pick(kConnectives, random_);
      formula =
          random_.chance(0.5) ? pool_.binary(op, formula, other) : pool_.binary(op, other, formula);
    }
    return formula;
  }

  FormulaPool& pool_;
  const RandomFormulaOptions& options_;
  Random& random_;
};

}  // namespace

FormulaId random_formula(FormulaPool& pool, const RandomFormulaOptions& options, Random& random) {
  return Generator(pool, options, random).run();
}

}  // namespace nestor
