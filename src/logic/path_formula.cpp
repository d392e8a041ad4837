#include "logic/path_formula.h"

#include <cassert>
#include <optional>
#include <set>

namespace nestor::logic {

namespace {

struct Joined {
  Op op;  // of CTL
  bool universal;
  Op path;
};
constexpr Joined kJoined[] = {
    {Op::EX, false, Op::X}, {Op::EF, false, Op::F}, {Op::EG, false, Op::G}, {Op::EU, false, Op::U},
    {Op::EW, false, Op::W}, {Op::ER, false, Op::R}, {Op::AX, true, Op::X},  {Op::AF, true, Op::F},
    {Op::AG, true, Op::G},  {Op::AU, true, Op::U},  {Op::AW, true, Op::W},  {Op::AR, true, Op::R},
};

FormulaId make(FormulaPool& pool, Op op, FormulaId left, FormulaId right) {
  return operand_count(op) == 1 ? pool.unary(op, left) : pool.binary(op, left, right);
}

}  // namespace

Op path_operator(char letter) {
  switch (letter) {
    case 'X':
      return Op::X;
    case 'F':
      return Op::F;
    case 'G':
      return Op::G;
    case 'Y':
      return Op::Y;
    case 'Z':
      return Op::Z;
    case 'O':
      return Op::O;
    case 'H':
      return Op::H;
    case 'U':
      return Op::U;
    case 'W':
      return Op::W;
    case 'S':
      return Op::S;
    case 'T':
      return Op::T;
    default:
      assert(letter == 'R' || letter == 'V');
      return Op::R;
  }
}

FormulaId temporal(FormulaPool& pool, Op op, FormulaId left, FormulaId right) {
  for (const Joined& joined : kJoined) {
    const bool is_ctl =
        pool.is_state_formula(left) && (operand_count(op) == 1 || pool.is_state_formula(right));
    if (joined.op == op && !is_ctl) {
      return quantified(pool, joined.universal, make(pool, joined.path, left, right));
    }
  }
  return make(pool, op, left, right);
}

FormulaId quantified(FormulaPool& pool, bool universal, FormulaId path) {
  if (pool.is_state_formula(path)) {
    return path;
  }
  const Formula outer = pool[path];
  for (const Joined& joined : kJoined) {
    if (joined.universal == universal && joined.path == outer.op &&
        pool.is_state_formula(outer.left) &&
        (operand_count(outer.op) == 1 || pool.is_state_formula(outer.right))) {
      return make(pool, joined.op, outer.left, outer.right);
    }
  }
  return pool.unary(universal ? Op::A : Op::E, path);
}

FormulaId bounded(FormulaPool& pool, Op op, std::uint32_t first, std::uint32_t last,
                  FormulaId operand) {
  assert(first <= last);
  if (op == Op::G || op == Op::H) {
    // match: G [a, b] f   result: !F [a, b] !f
    const FormulaId not_f = pool.unary(Op::Not, operand);
    return pool.unary(Op::Not, bounded(pool, op == Op::G ? Op::F : Op::O, first, last, not_f));
  }
  assert(op == Op::F || op == Op::O);
  const Op step = op == Op::F ? Op::X : Op::Y;
  FormulaId result = operand;
  for (std::uint32_t i = first; i < last; ++i) {
    result = pool.binary(Op::Or, operand, pool.unary(step, result));
  }
  for (std::uint32_t i = 0; i < first; ++i) {
    result = pool.unary(step, result);
  }
  return result;
}

Quantified quantified_path(FormulaPool& pool, FormulaId formula) {
  const Formula outer = pool[formula];
  for (const Joined& joined : kJoined) {
    if (joined.op == outer.op) {
      return {make(pool, joined.path, outer.left, outer.right), joined.universal};
    }
  }
  assert(outer.op == Op::E || outer.op == Op::A);
  return {outer.left, outer.op == Op::A};
}

std::vector<FormulaId> quantified_below(const FormulaPool& pool, FormulaId formula) {
  std::set<FormulaId> found;
  std::set<FormulaId> seen;
  std::vector<FormulaId> open{formula};
  while (!open.empty()) {
    const Formula& outer = pool[open.back()];
    open.pop_back();
    for (int o = 0; o < operand_count(outer.op); ++o) {
      const FormulaId operand = o == 0 ? outer.left : outer.right;
      if (is_quantified(pool[operand].op)) {
        found.insert(operand);
      } else if (seen.insert(operand).second) {
        open.push_back(operand);
      }
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace nestor::logic
