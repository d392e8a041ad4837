#pragma once

#include "smv/syntax/syntax.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace nestor::smv {

struct BinaryOperator {
  std::string_view text;
  Syntax kind;
  int precedence;  ///< the larger, the more tightly it binds
  bool right = false;
};

/// What expressions are made of, and what binds more tightly.
struct Dialect {
  enum class Kind : std::uint8_t { Smv, Ltl, Psl };
  Kind kind;
  std::span<const BinaryOperator> operators;
  int loosest;
  int conditional;   ///< of `c ? a : b`
  int below_prefix;  ///< what the operand of a temporal prefix binds with, at least
  int below_range;   ///< the same of the bounds of `1..9`
};

extern const Dialect kSmv;  ///< with CTL
extern const Dialect kLtl;  ///< with LTL and CTL
extern const Dialect kPsl;  ///< properties of PSL

// Of PSL's operators; those of kPsl.operators bind like `->` or more tightly than letters such as
// X.
constexpr int kPslAlways = 1;
constexpr int kPslImplies = 2;
constexpr int kPslNext = 3;
constexpr int kPslBefore = 4;
constexpr int kPslUntil = 5;
constexpr int kPslAbort = 6;
constexpr int kPslLetter = 7;

}  // namespace nestor::smv
