#pragma once

#include <cassert>
#include <cstdint>

namespace nestor::base {

/// A small random number generator (SplitMix64, G. Steele, D. Lea, C. Flood, OOPSLA 2014) with the
/// draws we need. The standard library's distributions differ between machines; these do not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  /// From 0 to bound - 1. The bias is below bound / 2^64.
  std::uint64_t below(std::uint64_t bound) {
    assert(bound > 0);
    return next() % bound;
  }
  std::uint64_t between(std::uint64_t least, std::uint64_t most) {
    return least + below(most - least + 1);
  }
  bool chance(double probability) {
    return static_cast<double>(next() >> 11) * 0x1.0p-53 < probability;
  }

 private:
  std::uint64_t state_;
};

}  // namespace nestor::base
