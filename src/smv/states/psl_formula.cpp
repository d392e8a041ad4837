#include "smv/states/psl_formula.h"

#include "logic/path_formula.h"

#include <cassert>

namespace nestor::smv {

namespace {

using logic::FormulaId;
using logic::Op;

/// The operators as the standard defines them (IEEE 1850-2010, annex B) on paths that do not end,
/// and those are what counts in SMV files. There `next` and `next!` are both X.
class PslFormula {
 public:
  PslFormula(logic::FormulaPool& pool, PslOperator op) : pool_(pool), op_(op) {}

  FormulaId until(FormulaId left, FormulaId right) {
    return waits(left, op_.inclusive ? both(left, right) : right);
  }

  /// First left, then right: no right until left, which if it is not inclusive comes without right.
  FormulaId before(FormulaId left, FormulaId right) {
    return waits(no(right), op_.inclusive ? left : both(left, no(right)));
  }

  /// next_a[1:n] f = next (f & next_a[1:n-1] f), next_a[m+1:n+1] f = next next_a[m:n] f; next_e has
  /// |.
  FormulaId next(std::int64_t first, std::int64_t last, FormulaId operand) {
    FormulaId result = operand;
    for (std::int64_t i = last; i-- > first;) {
      result = joined(operand, next(result));
    }
    for (std::int64_t i = 0; i < first; ++i) {
      result = next(result);
    }
    return result;
  }

  /// The first event is where next_event(e)(f) is f & e, and no e before: !e until (e & f). The one
  /// after it is the first event from the next place on.
  FormulaId next_event(std::int64_t first, std::int64_t last, FormulaId event, FormulaId operand) {
    assert(first >= 1);
    FormulaId result = at_event(event, operand);
    for (std::int64_t i = last; i-- > first;) {
      result = at_event(event, joined(operand, next(result)));
    }
    for (std::int64_t i = 1; i < first; ++i) {
      result = at_event(event, next(result));
    }
    return result;
  }

 private:
  FormulaId no(FormulaId f) { return pool_.unary(Op::Not, f); }
  FormulaId both(FormulaId f, FormulaId g) { return pool_.binary(Op::And, f, g); }
  FormulaId joined(FormulaId f, FormulaId g) {
    const bool all =
        op_.kind == PslOperator::Kind::NextA || op_.kind == PslOperator::Kind::NextEventA;
    return pool_.binary(all ? Op::And : Op::Or, f, g);
  }
  FormulaId waits(FormulaId left, FormulaId right) {
    return logic::temporal(pool_, op_.strong ? Op::U : Op::W, left, right);
  }
  FormulaId next(FormulaId f) {
    return op_.strong ? logic::temporal(pool_, Op::X, f) : no(logic::temporal(pool_, Op::X, no(f)));
  }
  FormulaId at_event(FormulaId event, FormulaId f) { return waits(no(event), both(event, f)); }

  logic::FormulaPool& pool_;
  PslOperator op_;
};

}  // namespace

FormulaId psl_formula(logic::FormulaPool& pool, PslOperator op, std::int64_t first,
                      std::int64_t last, std::span<const FormulaId> operands) {
  using enum PslOperator::Kind;
  PslFormula formula(pool, op);
  switch (op.kind) {
    case NextA:
    case NextE:
      return formula.next(first, last, operands[0]);
    case NextEventA:
    case NextEventE:
      return formula.next_event(first, last, operands[0], operands[1]);
    case Until:
      return formula.until(operands[0], operands[1]);
    case Before:
      return formula.before(operands[0], operands[1]);
  }
  return FormulaId();
}

}  // namespace nestor::smv
