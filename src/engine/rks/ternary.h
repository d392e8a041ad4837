#pragma once

#include <algorithm>
#include <cstdint>

namespace nestor::engine::rks {

/// f, m and t of the thesis: false, not known yet, true.
enum class Ternary : std::uint8_t { False, Maybe, True };

inline Ternary ternary(bool value) {
  return value ? Ternary::True : Ternary::False;
}
inline Ternary negation(Ternary a) {
  return static_cast<Ternary>(2 - static_cast<int>(a));
}
inline Ternary disjunction(Ternary a, Ternary b) {
  return std::max(a, b);
}
/// The operator ⋈: what both agree on.
inline Ternary join(Ternary a, Ternary b) {
  return a == b ? a : Ternary::Maybe;
}

}  // namespace nestor::engine::rks
