#pragma once

#include "logic/formula.h"

#include <cstdint>
#include <optional>

namespace nestor::check {

/// What a path must show for a temporal operator, by docs/semantics.md. Sides are operands; all
/// that is asked of them has the value of the claim itself: true for `E…`, false for `A…`.
struct PathRule {
  enum Side : std::uint8_t { kNone = 0, kLeft = 1, kRight = 2, kBoth = 3 };
  bool next = false;    ///< one step, then `end`
  bool until = false;   ///< `along`, then `end`
  bool always = false;  ///< `along` on a maximal path
  Side along = kNone;   ///< kNone: nothing is asked on the way
  Side end = kNone;
};

/// For the claim that a formula with this operator `holds` or does not; none if that is a claim
/// about all paths, or if the operator is not temporal.
inline std::optional<PathRule> path_rule(logic::Op op, bool holds) {
  using R = PathRule;
  if (holds) {
    switch (op) {
      case logic::Op::EX:
        return R{.next = true, .end = R::kLeft};
      case logic::Op::EF:
        return R{.until = true, .end = R::kLeft};
      case logic::Op::EU:
        return R{.until = true, .along = R::kLeft, .end = R::kRight};
      case logic::Op::EG:
        return R{.always = true, .along = R::kLeft};
      case logic::Op::EW:
        return R{.until = true, .always = true, .along = R::kLeft, .end = R::kRight};
      case logic::Op::ER:
        return R{.until = true, .always = true, .along = R::kRight, .end = R::kBoth};
      default:
        return std::nullopt;
    }
  }
  switch (op) {
    case logic::Op::AX:
      return R{.next = true, .end = R::kLeft};
    case logic::Op::AG:
      return R{.until = true, .end = R::kLeft};
    case logic::Op::AF:
      return R{.always = true, .along = R::kLeft};
    case logic::Op::AU:
      return R{.until = true, .always = true, .along = R::kRight, .end = R::kBoth};
    case logic::Op::AW:
      return R{.until = true, .along = R::kRight, .end = R::kBoth};
    case logic::Op::AR:
      return R{.until = true, .along = R::kLeft, .end = R::kRight};
    default:
      return std::nullopt;
  }
}

}  // namespace nestor::check
