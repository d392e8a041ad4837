#include "logic/infinite_paths.h"

#include "logic/path_formula.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace nestor::logic {

namespace {

/// A formula about infinite paths, as one about maximal paths. Where `demands`, it is true only in
/// states that have an infinite path; where `spares`, it is false only in such states.
struct Translated {
  FormulaId formula;
  bool demands = false;
  bool spares = false;
};

class Translator {
 public:
  explicit Translator(FormulaPool& pool)
      : pool_(pool),
        goes_on_(pool.unary(Op::EX, pool.constant(true))),
        infinite_(pool.unary(Op::EG, goes_on_)) {}

  FormulaId run(FormulaId root) {
    for (const FormulaId f : subformulas(pool_, root)) {
      const Formula formula = pool_[f];
      known_[f.value()] = translate(formula, f);
    }
    return spared(known_[root.value()]);
  }

 private:
  FormulaId both(FormulaId a, FormulaId b) { return pool_.binary(Op::And, a, b); }

  /// `t`, and the state has an infinite path.
  FormulaId demanded(const Translated& t) {
    return t.demands ? t.formula : both(t.formula, infinite_);
  }
  /// `t`, or the state has no infinite path.
  FormulaId spared(const Translated& t) {
    return t.spares ? t.formula : pool_.binary(Op::Or, t.formula, pool_.unary(Op::Not, infinite_));
  }
  /// `t`, and the state is no dead end.
  FormulaId going_on(const Translated& t) {
    return pool_[t.formula].op == Op::True ? goes_on_ : both(t.formula, goes_on_);
  }

  Translated translate(const Formula& formula, FormulaId f) {
    const int operands = operand_count(formula.op);
    if (operands == 0) {
      return {f, formula.op == Op::False, formula.op == Op::True};
    }
    const Translated a = known_.at(formula.left.value());
    const Translated b = operands == 2 ? known_.at(formula.right.value()) : Translated{};
    switch (formula.op) {
      case Op::Not:
        return {pool_.unary(Op::Not, a.formula), a.spares, a.demands};
      case Op::And:
        return connected(formula.op, a, b, a.demands || b.demands, a.spares && b.spares);
      case Op::Or:
        return connected(formula.op, a, b, a.demands && b.demands, a.spares || b.spares);
      case Op::Implies:
        return connected(formula.op, a, b, a.spares && b.demands, a.demands || b.spares);
      case Op::Iff:
      case Op::Xor:
        return connected(formula.op, a, b, false, false);
      case Op::EX:
      case Op::EF:
        return {pool_.unary(formula.op, demanded(a)), true, false};
      case Op::EG:
        return {pool_.unary(formula.op, going_on(a)), true, false};
      case Op::EU:
        return {pool_.binary(formula.op, a.formula, demanded(b)), true, false};
      case Op::EW:
        return {pool_.binary(formula.op, going_on(a), demanded(b)), true, false};
      case Op::ER:
        return {pool_.binary(formula.op, demanded(a), going_on(b)), true, false};
      case Op::AX:
      case Op::AG:
        return {pool_.unary(formula.op, spared(a)), false, true};
      case Op::AF:  // a path that ends need not arrive
        return {pool_.unary(formula.op,
                            pool_.binary(Op::Or, a.formula, pool_.unary(Op::Not, goes_on_))),
                false, true};
      case Op::AU:  // a path that leaves the states that count was one of these until then
      case Op::AW:
      case Op::AR:
        return {pool_.binary(formula.op, a.formula, spared(b)), false, true};
      case Op::E:  // some path that goes on and on
        return {quantified(pool_, false, both(a.formula, endless())), true, false};
      case Op::A:
        return {quantified(pool_, true, pool_.binary(Op::Implies, endless(), a.formula)), false,
                true};
      default:  // all states of an infinite path have one
        break;
    }
    return {operands == 1 ? pool_.unary(formula.op, a.formula)
                          : pool_.binary(formula.op, a.formula, b.formula),
            false, false};
  }

  FormulaId endless() { return pool_.unary(Op::G, pool_.unary(Op::X, pool_.constant(true))); }

  Translated connected(Op op, const Translated& a, const Translated& b, bool demands, bool spares) {
    return {pool_.binary(op, a.formula, b.formula), demands, spares};
  }

  FormulaPool& pool_;
  FormulaId goes_on_;
  FormulaId infinite_;
  std::unordered_map<std::uint32_t, Translated> known_;
};

}  // namespace

MuFormula on_infinite_paths(const MuFormula& formula) {
  MuFormula result;
  std::size_t binders = 0;
  for (const MuNode& node : formula.nodes) {
    binders = is_fixpoint(node.op) ? std::max(binders, node.binder + 1) : binders;
  }
  const std::size_t variable =
      result.add({.op = MuOp::Variable, .name = "Infinite", .binder = binders});
  const std::size_t next = result.add({.op = MuOp::Diamond, .left = variable});
  const std::size_t infinite =
      result.add({.op = MuOp::Nu, .left = next, .name = "Infinite", .binder = binders});
  const std::size_t ends = result.add({.op = MuOp::Not, .left = infinite});
  std::vector<std::size_t> made;
  for (MuNode node : formula.nodes) {
    const bool has_operand = node.op == MuOp::Not || is_binary(node.op) || is_fixpoint(node.op) ||
                             node.op == MuOp::Diamond || node.op == MuOp::Box ||
                             node.op == MuOp::BackDiamond || node.op == MuOp::BackBox;
    node.left = has_operand ? made[node.left] : 0;
    node.right = is_binary(node.op) ? made[node.right] : 0;
    if (node.op == MuOp::Diamond) {
      node.left = result.add({.op = MuOp::And, .left = node.left, .right = infinite});
    } else if (node.op == MuOp::Box) {
      node.left = result.add({.op = MuOp::Or, .left = node.left, .right = ends});
    }
    made.push_back(result.add(std::move(node)));
  }
  result.add({.op = MuOp::Or, .left = made.back(), .right = ends});
  return result;
}

FormulaId on_infinite_paths(FormulaPool& pool, FormulaId formula) {
  return Translator(pool).run(formula);
}

}  // namespace nestor::logic
