#include "smv/states/bounded_formula.h"

namespace nestor::smv {

namespace {

/// How bounded operators count steps, as NuSMV has them:
///   E [p BU low..high q]   q after low to high steps, and p until then
///   EBF low..high q        E [TRUE BU low..high q]
///   EBG low..high p        p in every state of a path that comes after low to high steps
/// and with A of all paths. From the last step backwards; a path that ends satisfies what is left
/// of an EBG, and of nothing else.
class BoundedFormula {
 public:
  explicit BoundedFormula(logic::FormulaPool& pool)
      : pool_(pool), goes_on_(pool.unary(LogicOp::EX, pool.constant(true))) {}

  logic::FormulaId make(Syntax kind, std::int64_t low, std::int64_t high, logic::FormulaId left,
                        logic::FormulaId right) {
    switch (kind) {
      case Syntax::EBF:
        return until(true, low, high, pool_.constant(true), left);
      case Syntax::ABF:
        return until(false, low, high, pool_.constant(true), left);
      case Syntax::EBU:
        return until(true, low, high, left, right);
      case Syntax::ABU:
        return until(false, low, high, left, right);
      case Syntax::EBG:
        return negation(until(false, low, high, pool_.constant(true), negation(left)));
      default:  // ABG
        return negation(until(true, low, high, pool_.constant(true), negation(left)));
    }
  }

 private:
  using LogicOp = nestor::logic::Op;

  logic::FormulaId negation(logic::FormulaId f) { return pool_.unary(LogicOp::Not, f); }

  logic::FormulaId until(bool exists, std::int64_t low, std::int64_t high, logic::FormulaId p,
                         logic::FormulaId q) {
    logic::FormulaId result = low <= high ? q : pool_.constant(false);
    for (std::int64_t after = high; after-- > 0;) {  // what is true after so many steps
      const logic::FormulaId next =
          exists ? pool_.unary(LogicOp::EX, result)
                 : pool_.binary(LogicOp::And, goes_on_, pool_.unary(LogicOp::AX, result));
      result = pool_.binary(LogicOp::And, p, next);
      if (after >= low) {
        result = pool_.binary(LogicOp::Or, q, result);
      }
    }
    return result;
  }

  logic::FormulaPool& pool_;
  logic::FormulaId goes_on_;
};

}  // namespace

logic::FormulaId bounded_formula(logic::FormulaPool& pool, Syntax kind, std::int64_t low,
                                 std::int64_t high, logic::FormulaId left, logic::FormulaId right) {
  return BoundedFormula(pool).make(kind, low, high, left, right);
}

}  // namespace nestor::smv
