#pragma once

#include <algorithm>
#include <cstdint>

namespace nestor::engine::strategies {

/// tt, ff and ?? of [DWF24], ordered ff < ?? < tt, so that std::min and std::max are the paper's.
enum class Ternary : std::uint8_t { False = 0, Unknown = 1, True = 2 };

inline bool known(Ternary value) {
  return value != Ternary::Unknown;
}

/// `comp` of [DWF24], figure 4.
inline Ternary complement(Ternary value) {
  return static_cast<Ternary>(2 - static_cast<int>(value));
}

}  // namespace nestor::engine::strategies
