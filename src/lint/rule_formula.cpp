#include "lint/rule_formula.h"

#include "lint/silence.h"
#include "logic/normal_form.h"
#include "logic/parser.h"

#include <unordered_map>

namespace nestor::lint {

RuleFormula::RuleFormula(const std::string& text, const base::SourceLocation& at)
    : formula_(logic::parse_formula(pool_, text, at)) {
  find_reduction();
}

void RuleFormula::find_reduction() {
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

RuleFormula RuleFormula::universal_part() const {
  RuleFormula part;
  logic::FormulaPool& pool = part.pool_;
  struct Bounds {
    logic::FormulaId stronger;  // both universal where they stand
    logic::FormulaId weaker;
  };
  std::unordered_map<std::uint32_t, Bounds> made;
  for (const logic::FormulaId f : logic::subformulas(pool_, formula_)) {
    const logic::Formula& formula = pool_[f];
    const int operands = logic::operand_count(formula.op);
    const Bounds left = operands > 0 ? made.at(formula.left.value()) : Bounds();
    const Bounds right = operands > 1 ? made.at(formula.right.value()) : Bounds();
    // What is left of `x | false` and `x & true` asks for no more than x does.
    const auto is_neutral = [&](logic::FormulaId one) {
      return (formula.op == logic::Op::Or && pool[one].op == logic::Op::False) ||
             (formula.op == logic::Op::And && pool[one].op == logic::Op::True);
    };
    const auto joined = [&](logic::FormulaId l, logic::FormulaId r) {
      if (operands == 2 && (is_neutral(l) || is_neutral(r))) {
        return is_neutral(l) ? r : l;
      }
      return operands == 1 ? pool.unary(formula.op, l) : pool.binary(formula.op, l, r);
    };
    Bounds bounds;
    switch (formula.op) {
      case logic::Op::True:
      case logic::Op::False:
        bounds.stronger = bounds.weaker = pool.constant(formula.op == logic::Op::True);
        break;
      case logic::Op::Atom:
        bounds.stronger = bounds.weaker = pool.atom(pool_.atom_name(f));
        break;
      case logic::Op::Not:
        bounds = {joined(left.weaker, {}), joined(left.stronger, {})};
        break;
      case logic::Op::Implies:
        bounds = {joined(left.weaker, right.stronger), joined(left.stronger, right.weaker)};
        break;
      case logic::Op::And:
      case logic::Op::Or:
        bounds = {joined(left.stronger, right.stronger), joined(left.weaker, right.weaker)};
        break;
      default:
        bounds = {pool.constant(false), pool.constant(true)};
        if (logic::Op::AX <= formula.op && formula.op <= logic::Op::AR) {
          bounds.stronger = joined(left.stronger, right.stronger);
        } else if (logic::Op::EX <= formula.op && formula.op <= logic::Op::ER) {
          bounds.weaker = joined(left.weaker, right.weaker);
        }
    }
    made[f.value()] = bounds;
  }
  part.formula_ = made.at(formula_.value()).stronger;
  part.find_reduction();
  return part;
}

bool RuleFormula::holds_with(const std::set<std::string, std::less<>>& atoms) const {
  enum class Truth : std::uint8_t { False, True, Open };
  std::unordered_map<std::uint32_t, Truth> known;
  for (const logic::FormulaId f : logic::subformulas(pool_, formula_)) {
    const logic::Formula& formula = pool_[f];
    const int operands = logic::operand_count(formula.op);
    const Truth left = operands > 0 ? known.at(formula.left.value()) : Truth::Open;
    const Truth right = operands > 1 ? known.at(formula.right.value()) : Truth::Open;
    const auto negated = [](Truth truth) {
      return truth == Truth::Open ? truth : truth == Truth::True ? Truth::False : Truth::True;
    };
    const auto either = [](Truth a, Truth b) {
      return a == Truth::True || b == Truth::True     ? Truth::True
             : a == Truth::False && b == Truth::False ? Truth::False
                                                      : Truth::Open;
    };
    Truth truth = Truth::Open;
    switch (formula.op) {
      case logic::Op::True:
      case logic::Op::False:
        truth = formula.op == logic::Op::True ? Truth::True : Truth::False;
        break;
      case logic::Op::Atom:
        truth = atoms.count(pool_.atom_name(f)) == 0 ? Truth::False : Truth::Open;
        break;
      case logic::Op::Not:
        truth = negated(left);
        break;
      case logic::Op::And:
        truth = negated(either(negated(left), negated(right)));
        break;
      case logic::Op::Or:
        truth = either(left, right);
        break;
      case logic::Op::Implies:
        truth = either(negated(left), right);
        break;
      // Also where paths end, and where there are none.
      case logic::Op::AX:
      case logic::Op::AG:
        truth = left == Truth::True ? Truth::True : Truth::Open;
        break;
      case logic::Op::EX:
      case logic::Op::EF:
        truth = left == Truth::False ? Truth::False : Truth::Open;
        break;
      case logic::Op::AW:
        truth = left == Truth::True ? Truth::True : Truth::Open;
        break;
      case logic::Op::EU:
        truth = right == Truth::False ? Truth::False : Truth::Open;
        break;
      default:
        break;
    }
    known[f.value()] = truth;
  }
  return known.at(formula_.value()) == Truth::True;
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
