#include "net/prod_expression.h"

#include <algorithm>

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

}  // namespace

std::optional<std::int64_t> evaluate(const ProdExpression& expression, const ProdBinding& binding) {
  std::vector<Value> stack;
  const auto pop = [&] {
    const Value top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const ProdExpression::Step& step : expression.steps) {
    switch (step.code) {
      case Code::Number:
        stack.emplace_back(step.value);
        break;
      case Code::Variable:
        stack.push_back(binding[static_cast<std::size_t>(step.value)]);
        break;
      case Code::Negate:
      case Code::Not:
        if (stack.back()) {
          stack.back() = step.code == Code::Not ? Value(*stack.back() == 0) : -*stack.back();
        }
        break;
      case Code::Choose: {
        const Value otherwise = pop();
        const Value then = pop();
        const Value condition = pop();
        stack.push_back(!condition ? std::nullopt : *condition != 0 ? then : otherwise);
        break;
      }
      default: {
        const Value right = pop();
        const Value left = pop();
        stack.push_back(binary(step.code, left, right));
      }
    }
  }
  return stack.back();
}

bool is_bound(const ProdExpression& expression, const ProdBinding& binding) {
  return std::ranges::all_of(expression.steps, [&](const ProdExpression::Step& step) {
    return step.code != Code::Variable || binding[static_cast<std::size_t>(step.value)];
  });
}

}  // namespace nestor::net
