#include "generate/random_formula.h"

#include <array>

namespace nestor::generate {

namespace {

constexpr std::array kConnectives = {logic::Op::And, logic::Op::Or, logic::Op::Implies,
                                     logic::Op::Iff, logic::Op::Xor};
constexpr std::array kUnaryQuantifiers = {logic::Op::EX, logic::Op::EF, logic::Op::EG,
                                          logic::Op::AX, logic::Op::AF, logic::Op::AG};
constexpr std::array kBinaryQuantifiers = {logic::Op::EU, logic::Op::EW, logic::Op::ER,
                                           logic::Op::AU, logic::Op::AW, logic::Op::AR};

template <class Choices>
logic::Op pick(const Choices& choices, base::Random& random) {
  return choices[random.below(choices.size())];
}

class FormulaGenerator {
 public:
  FormulaGenerator(logic::FormulaPool& pool, const RandomFormulaOptions& options,
                   base::Random& random)
      : pool_(pool), options_(options), random_(random) {}

  /// Goes up by one quantifier at a time, so the depth of the formula is never the C++ stack's.
  logic::FormulaId run() {
    logic::FormulaId formula = connect(literal());
    for (std::size_t depth = 0; depth < options_.quantifier_depth; ++depth) {
      formula = connect(negate(quantify(formula, depth)));
    }
    return formula;
  }

 private:
  logic::FormulaId literal() {
    if (options_.propositions.empty() || random_.chance(0.03)) {
      return pool_.constant(random_.chance(0.5));
    }
    return negate(pool_.atom(options_.propositions[random_.below(options_.propositions.size())]));
  }

  logic::FormulaId negate(logic::FormulaId formula) {
    return random_.chance(options_.negation) ? pool_.unary(logic::Op::Not, formula) : formula;
  }

  /// A formula with at most `depth` quantifiers on a branch, to stand beside the deepest branch.
  logic::FormulaId beside(std::size_t depth) {
    logic::FormulaId formula = literal();
    for (std::size_t d = random_.below(depth + 1); d > 0; --d) {
      formula = negate(pool_.unary(pick(kUnaryQuantifiers, random_), formula));
    }
    return formula;
  }

  logic::FormulaId quantify(logic::FormulaId formula, std::size_t depth) {
    if (random_.chance(0.5)) {
      return pool_.unary(pick(kUnaryQuantifiers, random_), formula);
    }
    const logic::FormulaId other = beside(depth);
    const logic::Op op = pick(kBinaryQuantifiers, random_);
    return random_.chance(0.5) ? pool_.binary(op, formula, other)
                               : pool_.binary(op, other, formula);
  }

  logic::FormulaId connect(logic::FormulaId formula) {
    for (std::size_t n = random_.below(options_.width + 1); n > 0; --n) {
      const logic::FormulaId other = literal();
      const logic::Op op = pick(kConnectives, random_);
      formula =
          random_.chance(0.5) ? pool_.binary(op, formula, other) : pool_.binary(op, other, formula);
    }
    return formula;
  }

  logic::FormulaPool& pool_;
  const RandomFormulaOptions& options_;
  base::Random& random_;
};

}  // namespace

logic::FormulaId random_formula(logic::FormulaPool& pool, const RandomFormulaOptions& options,
                                base::Random& random) {
  return FormulaGenerator(pool, options, random).run();
}

}  // namespace nestor::generate
