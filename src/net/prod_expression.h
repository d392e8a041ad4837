#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nestor::net {

/// An integer expression in postfix order.
struct ProdExpression {
  enum class Code : std::uint8_t {
    Number,
    Variable,
    Negate,
    Not,
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Choose,  ///< condition ? left : right
  };
  struct Step {
    Code code = Code::Number;
    std::int64_t value = 0;  ///< of Number; of Variable, its number
  };

  std::vector<Step> steps;
  std::size_t at = 0;  ///< offset of its first token

  static ProdExpression number(std::int64_t value) { return {{{Code::Number, value}}, 0}; }
  bool is_number() const { return steps.size() == 1 && steps[0].code == Code::Number; }
  bool is_variable() const { return steps.size() == 1 && steps[0].code == Code::Variable; }
  std::size_t variable() const { return static_cast<std::size_t>(steps[0].value); }
};

/// A variable's value; none if it has none yet.
using ProdBinding = std::vector<std::optional<std::int64_t>>;

/// Nothing if the value depends on a variable without a value, on a division by zero, or on a
/// number beyond 2^31. What does not matter may be undefined: `0 && 1/0` is 0, as in C.
std::optional<std::int64_t> evaluate(const ProdExpression& expression, const ProdBinding& binding);

/// True if every variable in it has a value.
bool is_bound(const ProdExpression& expression, const ProdBinding& binding);
/// The numbers of the variables in it, each as often as it stands there.
std::vector<std::size_t> variables_in(const ProdExpression& expression);

}  // namespace nestor::net
