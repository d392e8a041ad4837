#include "lint/rule_formula.h"

#include "lint/silence.h"
#include "logic/normal_form.h"
#include "logic/parser.h"

#include <unordered_map>

namespace nestor::lint {

RuleFormula::RuleFormula(const std::string& text, const base::SourceLocation& at)
    : formula_(logic::parse_formula(pool_, text, at)) {
  logic::FormulaPool pool;
  reduction_ = reduction_for(pool, logic::existential_normal_form(pool, renamed(pool, unchanged)));
}

bool RuleFormula::names(std::string_view atom) const {
  for (const logic::FormulaId f : logic::subformulas(pool_, formula_)) {
    if (pool_[f].op == logic::Op::Atom && pool_.atom_name(f) == atom) {
      return true;
    }
  }
  return false;
}

bool RuleFormula::is(std::string_view text) const {
  logic::FormulaPool pool;  // makes equal formulas one
  const logic::FormulaId own = renamed(pool, unchanged);
  return logic::parse_formula(pool, text, {}) == own;
}

std::vector<std::string> RuleFormula::forbidden_after_site() const {
  const auto below = [&](logic::FormulaId f, logic::Op op) {
    return f.valid() && pool_[f].op == op ? pool_[f].left : logic::FormulaId();
  };
  const logic::FormulaId step = below(formula_, logic::Op::AG);
  const logic::FormulaId site = below(step, logic::Op::Implies);
  if (!site.valid() || pool_[site].op != logic::Op::Atom || pool_.atom_name(site) != "site") {
    return {};
  }
  const logic::FormulaId after = below(pool_[step].right, logic::Op::AX);
  const logic::FormulaId never = below(below(after, logic::Op::AG), logic::Op::Not);
  std::vector<std::string> atoms;
  std::vector<logic::FormulaId> work;
  for (never.valid() ? work.push_back(never) : void(); !work.empty();) {
    const logic::FormulaId f = work.back();
    work.pop_back();
    if (pool_[f].op == logic::Op::Atom) {
      atoms.emplace_back(pool_.atom_name(f));
    } else if (pool_[f].op == logic::Op::Or) {
      work.push_back(pool_[f].left);
      work.push_back(pool_[f].right);
    } else {
      return {};
    }
  }
  return atoms;
}

bool RuleFormula::is_universal() const {
  struct Part {
    logic::FormulaId formula;
    bool is_negated = false;
  };
  std::vector<Part> work = {{formula_}};
  while (!work.empty()) {
    const Part part = work.back();
    work.pop_back();
    const logic::Formula& formula = pool_[part.formula];
    switch (formula.op) {
      case logic::Op::Not:
        work.push_back({formula.left, !part.is_negated});
        continue;
      case logic::Op::Implies:
        work.push_back({formula.left, !part.is_negated});
        work.push_back({formula.right, part.is_negated});
        continue;
      case logic::Op::Iff:
      case logic::Op::Xor:
        return false;
      case logic::Op::And:
      case logic::Op::Or:
        break;
      default:
        if (logic::operand_count(formula.op) > 0 &&
            (formula.op >= logic::Op::AX) == part.is_negated) {
          return false;
        }
    }
    for (int i = 0; i < logic::operand_count(formula.op); ++i) {
      work.push_back({i == 0 ? formula.left : formula.right, part.is_negated});
    }
  }
  return true;
}

logic::FormulaId RuleFormula::renamed(logic::FormulaPool& pool, const Rename& rename) const {
  std::unordered_map<std::uint32_t, logic::FormulaId> made;
  for (const logic::FormulaId f : logic::subformulas(pool_, formula_)) {
    const logic::Formula& formula = pool_[f];
    logic::FormulaId result;
    switch (logic::operand_count(formula.op)) {
      case 0:
        result = formula.op == logic::Op::Atom ? pool.atom(rename(pool_.atom_name(f)))
                                               : pool.constant(formula.op == logic::Op::True);
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

}  // namespace nestor::lint
