#include "random_formula.h"

#include <vector>

namespace nestor::test {

namespace {

constexpr logic::Op kOperators[] = {
    logic::Op::Not, logic::Op::And, logic::Op::Or, logic::Op::Implies, logic::Op::Iff,
    logic::Op::Xor, logic::Op::EX,  logic::Op::EF, logic::Op::EG,      logic::Op::EU,
    logic::Op::EW,  logic::Op::ER,  logic::Op::AX, logic::Op::AF,      logic::Op::AG,
    logic::Op::AU,  logic::Op::AW,  logic::Op::AR};

std::size_t below(std::mt19937& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

}  // namespace

logic::FormulaId random_formula(logic::FormulaPool& pool, std::mt19937& random, int joins,
                                std::span<const std::string_view> names) {
  std::vector<logic::FormulaId> parts;
  for (int i = 0; i <= joins; ++i) {
    const std::size_t leaf = below(random, names.size() + 2);
    parts.push_back(leaf < names.size() ? pool.atom(names[leaf])
                                        : pool.constant(leaf == names.size()));
  }
  // Unary operators go on random parts, binary ones join two, until one part is left.
  const auto take = [&] {
    std::swap(parts[below(random, parts.size())], parts.back());
    const logic::FormulaId part = parts.back();
    parts.pop_back();
    return part;
  };
  while (parts.size() > 1) {
    const logic::Op op = kOperators[below(random, std::size(kOperators))];
    const logic::FormulaId left = take();
    parts.push_back(logic::operand_count(op) == 1 ? pool.unary(op, left)
                                                  : pool.binary(op, left, take()));
  }
  return parts.front();
}

}  // namespace nestor::test
