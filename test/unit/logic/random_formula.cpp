#include "random_formula.h"

#include <vector>

namespace nestor::test {

namespace {

constexpr Op kOperators[] = {Op::Not, Op::And, Op::Or, Op::Implies, Op::Iff, Op::Xor,
                             Op::EX,  Op::EF,  Op::EG, Op::EU,      Op::EW,  Op::ER,
                             Op::AX,  Op::AF,  Op::AG, Op::AU,      Op::AW,  Op::AR};

std::size_t below(std::mt19937& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

}  // namespace

FormulaId random_formula(FormulaPool& pool, std::mt19937& random, int joins,
                         std::span<const std::string_view> names) {
  std::vector<FormulaId> parts;
  for (int i = 0; i <= joins; ++i) {
    const std::size_t leaf = below(random, names.size() + 2);
    parts.push_back(leaf < names.size() ? pool.atom(names[leaf])
                                        : pool.constant(leaf == names.size()));
  }
  // Unary operators go on random parts, binary ones join two, until one part is left.
  const auto take = [&] {
    std::swap(parts[below(random, parts.size())], parts.back());
    const FormulaId part = parts.back();
    parts.pop_back();
    return part;
  };
  while (parts.size() > 1) {
    const Op op = kOperators[below(random, std::size(kOperators))];
    const FormulaId left = take();
    parts.push_back(operand_count(op) == 1 ? pool.unary(op, left) : pool.binary(op, left, take()));
  }
  return parts.front();
}

}  // namespace nestor::test
