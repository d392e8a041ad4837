#pragma once

#include "base/id.h"

#include <cstdint>
#include <vector>

namespace nestor::program {

using VariableId = base::Id<struct VariableTag>;
using ValueId = base::Id<struct ValueTag>;  ///< of one function

/// How two numbers compare; a pointer is compared as a number.
enum class Relation : std::uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

/// What a function computes, as far as branches, stores and calls depend on it: a term that needs
/// nothing of the language it was written in.
struct Value {
  enum class Kind : std::uint8_t {
    Unknown,
    Bound,      ///< what a point has read, got from a call or chosen (Action::result)
    Constant,   ///< `number`; null is 0
    Parameter,  ///< number `number`, as the caller passed it
    Address,    ///< of `variable`; of something that is no variable, a function say, if not valid
    Step,       ///< the pointer `left`, `number` bytes further
    Inside,     ///< somewhere inside of what `left` points to
    Compare,    ///< `left` and `right` by `relation`: 0 or 1
    Add,
    Subtract,
    And,
    Or,
    ExclusiveOr,
    SignExtend,  ///< `left` as a wider number
    ZeroExtend,
    Truncate,  ///< `left` as a number of `bits` bits
  };

  Kind kind = Kind::Unknown;
  Relation relation = Relation::Equal;
  bool is_unsigned = false;  ///< of Compare
  bool is_null = false;      ///< the null pointer: a Constant, or a Bound that is nothing else
  std::uint8_t bits = 64;    ///< of the value itself; 1 counts 0 and 1, others have a sign
  ValueId left;
  ValueId right;
  VariableId variable;
  std::int64_t number = 0;

  friend bool operator==(const Value&, const Value&) = default;
};

/// Without steps, places inside and casts: what the value points into, or is made from.
inline ValueId base_of(const base::IdVector<ValueId, Value>& values, ValueId value) {
  while (value.valid()) {
    switch (values[value].kind) {
      case Value::Kind::Step:
      case Value::Kind::Inside:
      case Value::Kind::SignExtend:
      case Value::Kind::ZeroExtend:
      case Value::Kind::Truncate:
        value = values[value].left;
        break;
      default:
        return value;
    }
  }
  return value;
}

/// What a point does with values.
struct Action {
  enum class Kind : std::uint8_t {
    Read,    ///< `result` is what lies at `address`
    Write,   ///< `value` is written to `address`
    Choose,  ///< `result` is `value` here: where branches with different values meet
    Assume,  ///< the way that is taken if `value` compares with `number` so
    Call,    ///< with `arguments`; `result` is what comes back, not valid if that is nothing
    Return,  ///< of `value`
  };

  Kind kind = Kind::Assume;
  Relation relation = Relation::NotEqual;  ///< of Assume
  bool is_else = false;    ///< of Assume: `value` is none of `others`, the numbers of a switch
  std::uint8_t bits = 64;  ///< of what is read or written; 0 if it is no number or pointer
  ValueId result;
  ValueId value;
  ValueId address;
  std::int64_t number = 0;
  std::vector<ValueId> arguments;
  std::vector<std::int64_t> others;
};

}  // namespace nestor::program
