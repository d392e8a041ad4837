#include "lint/silence.h"

#include "logic/normal_form.h"

#include <cassert>
#include <unordered_map>

namespace nestor {

namespace {

enum class Truth : std::uint8_t { False, True, Depends };

/// What is known of a formula in silence.
struct InSilence {
  Truth value = Truth::Depends;
  bool goes_on = false;  ///< if it holds there, it holds in some state that comes after
};

Truth negated(Truth value) {
  return value == Truth::Depends ? value : (value == Truth::True ? Truth::False : Truth::True);
}

Truth either(Truth a, Truth b) {
  if (a == Truth::True || b == Truth::True) {
    return Truth::True;
  }
  return a == Truth::False && b == Truth::False ? Truth::False : Truth::Depends;
}

}  // namespace

Reduction reduction_for(const FormulaPool& pool, FormulaId formula) {
  std::unordered_map<std::uint32_t, InSilence> known;
  Reduction reduction = Reduction::Events;
  for (const FormulaId f : subformulas(pool, formula)) {
    const Formula& one = pool[f];
    const InSilence left = operand_count(one.op) > 0 ? known.at(one.left.value()) : InSilence();
    const InSilence right = operand_count(one.op) > 1 ? known.at(one.right.value()) : InSilence();
    InSilence result;
    switch (one.op) {
      case Op::True:
        result.value = Truth::True;
        break;
      case Op::Atom:
        result.value = Truth::False;
        break;
      case Op::Not:
        result.value = negated(left.value);
        break;
      case Op::Or:
        result.value = either(left.value, right.value);
        result.goes_on = (left.goes_on || left.value == Truth::False) &&
                         (right.goes_on || right.value == Truth::False);
        break;
      case Op::EX:
        if (!left.goes_on) {
          return Reduction::Nothing;
        }
        break;
      case Op::EU:
        if (left.value != Truth::True || (right.value != Truth::False && !right.goes_on)) {
          return Reduction::Nothing;
        }
        result.goes_on = true;
        break;
      case Op::EG:
        if (left.value != Truth::True) {
          return Reduction::Nothing;
        }
        reduction = Reduction::KeepLoops;
        result.goes_on = true;
        break;
      default:
        assert(false && "not in existential normal form");
    }
    known[f.value()] = result;
  }
  return reduction;
}

}  // namespace nestor
