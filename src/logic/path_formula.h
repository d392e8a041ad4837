#pragma once

#include "logic/formula.h"

#include <cstdint>
#include <vector>

namespace nestor::logic {

/// The operator with this letter, one of `X F G U W R Y Z O H S T` and `V`, which is R.
Op path_operator(char letter);

/// A path operator before its operand or between two; `op` may also be one of CTL's, such as AG,
/// whose operands may then be path formulas: that is the quantifier before the operator.
FormulaId temporal(FormulaPool& pool, Op op, FormulaId left, FormulaId right = FormulaId());

/// A quantifier before a path formula: CTL where that is one operator before state formulas. A
/// state formula is itself: it is true or false of all paths of its state.
FormulaId quantified(FormulaPool& pool, bool universal, FormulaId path);

/// A quantifier, alone or joined to a path operator as CTL has them.
inline bool is_quantified(Op op) {
  return op >= Op::EX && op <= Op::A;
}
/// A quantified formula as its quantifier and its path formula.
struct Quantified {
  FormulaId path;
  bool universal = false;
};
Quantified quantified_path(FormulaPool& pool, FormulaId formula);
/// The quantified formulas that stand inside of a formula, but in no other one there.
std::vector<FormulaId> quantified_below(const FormulaPool& pool, FormulaId formula);

/// A formula as it is asked: a path formula means that of all paths.
inline FormulaId of_all_paths(FormulaPool& pool, FormulaId formula) {
  return quantified(pool, true, formula);
}

/// `F [first, last] operand` and likewise G, O and H, by X or Y repeated.
/// Precondition: first <= last.
FormulaId bounded(FormulaPool& pool, Op op, std::uint32_t first, std::uint32_t last,
                  FormulaId operand);

/// Larger bounds are refused where they are read.
constexpr std::uint32_t kLargestBound = 10'000;

}  // namespace nestor::logic
