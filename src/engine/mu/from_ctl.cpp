//   EX p        <>p
//   E [p U q]   mu X. q | p & <>X
//   EG p        nu X. p & (<>X | []ff)       a path may end

#include "engine/mu/from_ctl.h"

#include "base/error.h"
#include "logic/normal_form.h"

#include <string>
#include <unordered_map>

namespace nestor::engine::mu {

namespace {

using logic::MuOp;

class FromCtl {
 public:
  logic::MuFormula translate(logic::FormulaPool& pool, logic::FormulaId formula) {
    const logic::FormulaId normal = logic::existential_normal_form(pool, formula);
    for (const logic::FormulaId f : logic::subformulas(pool, normal)) {
      node_of_[f] = translated(pool, f);
    }
    return std::move(result_);
  }

 private:
  std::size_t add(MuOp op, std::size_t left = 0, std::size_t right = 0) {
    return result_.add({.op = op, .left = left, .right = right});
  }

  std::size_t translated(const logic::FormulaPool& pool, logic::FormulaId f) {
    const logic::Formula& formula = pool[f];
    const auto left = [&] { return node_of_.at(formula.left); };
    switch (formula.op) {
      case logic::Op::True:
        return add(MuOp::True);
      case logic::Op::Atom:
        return result_.add({.op = MuOp::Atom, .name = std::string(pool.atom_name(f))});
      case logic::Op::Not:
        return add(MuOp::Not, left());
      case logic::Op::Or:
        return add(MuOp::Or, left(), node_of_.at(formula.right));
      case logic::Op::EX:
        return add(MuOp::Diamond, left());
      case logic::Op::EU: {
        const std::size_t goes_on = add(MuOp::And, left(), add(MuOp::Diamond, variable()));
        return fixpoint(MuOp::Mu, add(MuOp::Or, node_of_.at(formula.right), goes_on));
      }
      case logic::Op::EG: {
        const std::size_t goes_on = add(MuOp::Diamond, variable());
        const std::size_t ends = add(MuOp::Box, add(MuOp::False));
        return fixpoint(MuOp::Nu, add(MuOp::And, left(), add(MuOp::Or, goes_on, ends)));
      }
      default:
        NESTOR_CHECK(false);  // not in existential normal form
    }
    return 0;
  }

  std::size_t variable() { return result_.add({.op = MuOp::Variable, .binder = binders_}); }
  std::size_t fixpoint(MuOp op, std::size_t body) {
    return result_.add({.op = op, .left = body, .binder = binders_++});
  }

  logic::MuFormula result_;
  std::unordered_map<logic::FormulaId, std::size_t> node_of_;
  std::size_t binders_ = 0;
};

}  // namespace

logic::MuFormula from_ctl(logic::FormulaPool& pool, logic::FormulaId formula) {
  return FromCtl().translate(pool, formula);
}

}  // namespace nestor::engine::mu
