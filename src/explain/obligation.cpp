#include "explain/obligation.h"

namespace nestor::explain {

namespace {

using Kind = Obligation::Kind;

Obligation connective(const logic::Formula& formula, bool holds) {
  const witness::Claim left{formula.left, holds};
  const witness::Claim right{formula.right, holds};
  const witness::Claim not_left{formula.left, !holds};
  Obligation found;
  found.kind = Kind::Parts;
  switch (formula.op) {
    case logic::Op::Not:
      found.alternatives = {{not_left}};
      break;
    case logic::Op::And:
      found.alternatives = holds ? std::vector<std::vector<witness::Claim>>{{left, right}}
                                 : std::vector<std::vector<witness::Claim>>{{left}, {right}};
      break;
    case logic::Op::Or:
      found.alternatives = holds ? std::vector<std::vector<witness::Claim>>{{left}, {right}}
                                 : std::vector<std::vector<witness::Claim>>{{left, right}};
      break;
    case logic::Op::Implies:
      found.alternatives = holds ? std::vector<std::vector<witness::Claim>>{{not_left}, {right}}
                                 : std::vector<std::vector<witness::Claim>>{{not_left, right}};
      break;
    default:  // both operands alike, or not
      if ((formula.op == logic::Op::Iff) == holds) {
        found.alternatives = {{{formula.left, true}, {formula.right, true}},
                              {{formula.left, false}, {formula.right, false}}};
      } else {
        found.alternatives = {{{formula.left, true}, {formula.right, false}},
                              {{formula.left, false}, {formula.right, true}}};
      }
  }
  return found;
}

Obligation existential(const logic::Formula& formula) {
  const witness::Claim left{formula.left, true};
  const witness::Claim right{formula.right, true};
  switch (formula.op) {
    case logic::Op::EX:
      return {Kind::Next, {}, {}, {left}};
    case logic::Op::EF:  // every state is on the way
      return {Kind::Until, {}, {}, {left}};
    case logic::Op::EG:
      return {Kind::Always, {}, left, {}};
    case logic::Op::EU:
      return {Kind::Until, {}, left, {right}};
    case logic::Op::EW:  // E [f U g] | EG f
      return {Kind::UntilOrAlways, {}, left, {right}};
    default:  // E [f R g] = E [g U (f & g)] | EG g
      return {Kind::UntilOrAlways, {}, right, {left, right}};
  }
}

Obligation refuted_universal(const logic::Formula& formula) {
  const witness::Claim left{formula.left, false};
  const witness::Claim right{formula.right, false};
  switch (formula.op) {
    case logic::Op::AX:
      return {Kind::Next, {}, {}, {left}};
    case logic::Op::AF:
      return {Kind::Always, {}, left, {}};
    case logic::Op::AG:
      return {Kind::Until, {}, {}, {left}};
    case logic::Op::AU:  // E [!g U (!f & !g)] | EG !g
      return {Kind::UntilOrAlways, {}, right, {left, right}};
    case logic::Op::AW:  // E [!g U (!f & !g)]
      return {Kind::Until, {}, right, {left, right}};
    default:  // !A [f R g] = E [!f U !g]
      return {Kind::Until, {}, left, {right}};
  }
}

bool is_universal(logic::Op op) {
  return op == logic::Op::AX || op == logic::Op::AF || op == logic::Op::AG || op == logic::Op::AU ||
         op == logic::Op::AW || op == logic::Op::AR;
}

}  // namespace

bool is_temporal(logic::Op op) {
  return is_universal(op) || op == logic::Op::EX || op == logic::Op::EF || op == logic::Op::EG ||
         op == logic::Op::EU || op == logic::Op::EW || op == logic::Op::ER;
}

Obligation obligation(const logic::FormulaPool& pool, witness::Claim claim, bool is_propositional) {
  const logic::Formula& formula = pool[claim.formula];
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

}  // namespace nestor::explain
