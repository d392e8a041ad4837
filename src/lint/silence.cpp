#include "lint/silence.h"

#include "logic/normal_form.h"

#include <cassert>
#include <unordered_map>

namespace nestor::lint {

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

program::Reduction reduction_for(const logic::FormulaPool& pool, logic::FormulaId formula) {
  std::unordered_map<std::uint32_t, InSilence> known;
  program::Reduction reduction = program::Reduction::Events;
  for (const logic::FormulaId f : logic::subformulas(pool, formula)) {
    const logic::Formula& one = pool[f];
    const InSilence left =
        logic::operand_count(one.op) > 0 ? known.at(one.left.value()) : InSilence();
    const InSilence right =
        logic::operand_count(one.op) > 1 ? known.at(one.right.value()) : InSilence();
    InSilence result;
    switch (one.op) {
      case logic::Op::True:
        result.value = Truth::True;
        break;
      case logic::Op::Atom:
        result.value = Truth::False;
        break;
      case logic::Op::Not:
        result.value = negated(left.value);
        break;
      case logic::Op::Or:
        result.value = either(left.value, right.value);
        result.goes_on = (left.goes_on || left.value == Truth::False) &&
                         (right.goes_on || right.value == Truth::False);
        break;
      case logic::Op::EX:
        if (!left.goes_on) {
          return program::Reduction::Nothing;
        }
        break;
      case logic::Op::EU:
        if (left.value != Truth::True || (right.value != Truth::False && !right.goes_on)) {
          return program::Reduction::Nothing;
        }
        result.goes_on = true;
        break;
      case logic::Op::EG:
        if (left.value != Truth::True) {
          return program::Reduction::Nothing;
        }
        reduction = program::Reduction::KeepLoops;
        result.goes_on = true;
        break;
      default:
        assert(false && "not in existential normal form");
    }
    known[f.value()] = result;
  }
  return reduction;
}

}  // namespace nestor::lint
