#include "lint/rule_formula.h"

#include "lint/silence.h"
#include "logic/normal_form.h"
#include "logic/parser.h"

#include <unordered_map>

namespace nestor {

RuleFormula::RuleFormula(const Rule& rule)
    : formula_(parse_formula(pool_, rule.formula, rule.formula_at)) {
  FormulaPool pool;
  reduction_ = reduction_for(pool, existential_normal_form(pool, renamed(pool, unchanged)));
}

bool RuleFormula::names(std::string_view atom) const {
  for (const FormulaId f : subformulas(pool_, formula_)) {
    if (pool_[f].op == Op::Atom && pool_.atom_name(f) == atom) {
      return true;
    }
  }
  return false;
}

bool RuleFormula::is(std::string_view text) const {
  FormulaPool pool;  // makes equal formulas one
  const FormulaId own = renamed(pool, unchanged);
  return parse_formula(pool, text, {}) == own;
}

FormulaId RuleFormula::renamed(FormulaPool& pool, const Rename& rename) const {
  std::unordered_map<std::uint32_t, FormulaId> made;
  for (const FormulaId f : subformulas(pool_, formula_)) {
    const Formula& formula = pool_[f];
    FormulaId result;
    switch (operand_count(formula.op)) {
      case 0:
        result = formula.op == Op::Atom ? pool.atom(rename(pool_.atom_name(f)))
                                        : pool.constant(formula.op == Op::True);
        break;
      case 1:
        result = pool.unary(formula.op, made.at(formula.left.value()));
        break;
      default:
        result =
            pool.binary(formula.op, made.at(formula.left.value()), made.at(formula.right.value()));
    }
    made[f.value()] = result;
  }
  return made.at(formula_.value());
}

}  // namespace nestor
