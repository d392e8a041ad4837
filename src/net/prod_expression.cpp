#include "net/prod_expression.h"

#include <algorithm>
#include <array>

namespace nestor::net {

namespace {

using Code = ProdExpression::Code;
using Value = std::optional<std::int64_t>;

constexpr std::int64_t kLargest = std::int64_t{1} << 31;

Value in_range(std::int64_t value) {
  return value >= -kLargest && value <= kLargest ? Value(value) : std::nullopt;
}

Value binary(Code code, const Value& a, const Value& b) {
  if (code == Code::And || code == Code::Or) {
    const bool decides = code == Code::Or;  // the value that decides alone
    if (a && (*a != 0) == decides) {
      return decides;
    }
    return a && b ? Value(*b != 0) : std::nullopt;
  }
  if (!a || !b) {
    return std::nullopt;
  }
  switch (code) {
    case Code::Multiply:
      return in_range(*a * *b);
    case Code::Divide:
      return *b == 0 ? std::nullopt : in_range(*a / *b);
    case Code::Remainder:
      return *b == 0 ? std::nullopt : in_range(*a % *b);
    case Code::Add:
      return in_range(*a + *b);
    case Code::Subtract:
      return in_range(*a - *b);
    case Code::Less:
      return *a < *b;
    case Code::LessEqual:
      return *a <= *b;
    case Code::Greater:
      return *a > *b;
    case Code::GreaterEqual:
      return *a >= *b;
    case Code::Equal:
      return *a == *b;
    default:
      return *a != *b;
  }
}

/// `stack` has room for every step.
Value evaluate_on(Value* stack, const ProdExpression& expression, const ProdBinding& binding) {
  Value* top = stack - 1;
  for (const ProdExpression::Step& step : expression.steps) {
    switch (step.code) {
      case Code::Number:
        *++top = step.value;
        break;
      case Code::Variable:
        *++top = binding[static_cast<std::size_t>(step.value)];
        break;
      case Code::Negate:
      case Code::Not:
        if (*top) {
          *top = step.code == Code::Not ? Value(**top == 0) : -**top;
        }
        break;
      case Code::Choose:
        top -= 2;
        *top = !*top ? std::nullopt : **top != 0 ? top[1] : top[2];
        break;
      default:
        --top;
        *top = binary(step.code, *top, top[1]);
    }
  }
  return *top;
}

}  // namespace

std::optional<std::int64_t> evaluate(const ProdExpression& expression, const ProdBinding& binding) {
  // Nets are explored by evaluating short expressions all the time: nothing is allocated for them.
  constexpr std::size_t kShort = 16;
  const std::size_t size = expression.steps.size();
  if (size == 1) {
    const ProdExpression::Step& step = expression.steps[0];
    return step.code == Code::Number ? Value(step.value)
                                     : binding[static_cast<std::size_t>(step.value)];
  }
  if (size <= kShort) {
    std::array<Value, kShort> stack;
    return evaluate_on(stack.data(), expression, binding);
  }
  std::vector<Value> stack(size);
  return evaluate_on(stack.data(), expression, binding);
}

std::vector<std::size_t> variables_in(const ProdExpression& expression) {
  std::vector<std::size_t> found;
  for (const ProdExpression::Step& step : expression.steps) {
    if (step.code == Code::Variable) {
      found.push_back(static_cast<std::size_t>(step.value));
    }
  }
  return found;
}

bool is_bound(const ProdExpression& expression, const ProdBinding& binding) {
  return std::ranges::all_of(expression.steps, [&](const ProdExpression::Step& step) {
    return step.code != Code::Variable || binding[static_cast<std::size_t>(step.value)];
  });
}

}  // namespace nestor::net
