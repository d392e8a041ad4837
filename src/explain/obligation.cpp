#include "explain/obligation.h"

namespace nestor {

namespace {

using Kind = Obligation::Kind;

Obligation connective(const Formula& formula, bool holds) {
  const Claim left{formula.left, holds};
  const Claim right{formula.right, holds};
  const Claim not_left{formula.left, !holds};
  Obligation found;
  found.kind = Kind::Parts;
  switch (formula.op) {
    case Op::Not:
      found.alternatives = {{not_left}};
      break;
    case Op::And:
      found.alternatives = holds ? std::vector<std::vector<Claim>>{{left, right}}
                                 : std::vector<std::vector<Claim>>{{left}, {right}};
      break;
    case Op::Or:
      found.alternatives = holds ? std::vector<std::vector<Claim>>{{left}, {right}}
                                 : std::vector<std::vector<Claim>>{{left, right}};
      break;
    case Op::Implies:
      found.alternatives = holds ? std::vector<std::vector<Claim>>{{not_left}, {right}}
                                 : std::vector<std::vector<Claim>>{{not_left, right}};
      break;
    default:  // both operands alike, or not
      if ((formula.op == Op::Iff) == holds) {
        found.alternatives = {{{formula.left, true}, {formula.right, true}},
                              {{formula.left, false}, {formula.right, false}}};
      } else {
        found.alternatives = {{{formula.left, true}, {formula.right, false}},
                              {{formula.left, false}, {formula.right, true}}};
      }
  }
  return found;
}

Obligation existential(const Formula& formula) {
  const Claim left{formula.left, true};
  const Claim right{formula.right, true};
  switch (formula.op) {
    case Op::EX:
      return {Kind::Next, {}, {}, {left}};
    case Op::EF:  // every state is on the way
      return {Kind::Until, {}, {}, {left}};
    case Op::EG:
      return {Kind::Always, {}, left, {}};
    case Op::EU:
      return {Kind::Until, {}, left, {right}};
    case Op::EW:  // E [f U g] | EG f
      return {Kind::UntilOrAlways, {}, left, {right}};
    default:  // E [f R g] = E [g U (f & g)] | EG g
      return {Kind::UntilOrAlways, {}, right, {left, right}};
  }
}

Obligation refuted_universal(const Formula& formula) {
  const Claim left{formula.left, false};
  const Claim right{formula.right, false};
  switch (formula.op) {
    case Op::AX:
      return {Kind::Next, {}, {}, {left}};
    case Op::AF:
      return {Kind::Always, {}, left, {}};
    case Op::AG:
      return {Kind::Until, {}, {}, {left}};
    case Op::AU:  // E [!g U (!f & !g)] | EG !g
      return {Kind::UntilOrAlways, {}, right, {left, right}};
    case Op::AW:  // E [!g U (!f & !g)]
      return {Kind::Until, {}, right, {left, right}};
    default:  // !A [f R g] = E [!f U !g]
      return {Kind::Until, {}, left, {right}};
  }
}

bool is_universal(Op op) {
  return op == Op::AX || op == Op::AF || op == Op::AG || op == Op::AU || op == Op::AW ||
         op == Op::AR;
}

}  // namespace

bool is_temporal(Op op) {
  return is_universal(op) || op == Op::EX || op == Op::EF || op == Op::EG || op == Op::EU ||
         op == Op::EW || op == Op::ER;
}

Obligation obligation(const FormulaPool& pool, Claim claim, bool is_propositional) {
  const Formula& formula = pool[claim.formula];
  if (is_propositional) {
    return {};
  }
  if (!is_temporal(formula.op)) {
    return connective(formula, claim.holds);
  }
  if (is_universal(formula.op) == claim.holds) {
    return {Kind::All, {}, {}, {}};
  }
  return claim.holds ? existential(formula) : refuted_universal(formula);
}

}  // namespace nestor
