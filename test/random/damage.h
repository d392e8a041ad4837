#pragma once

#include "base/random.h"
#include "witness/witness.h"

#include <functional>
#include <span>
#include <string_view>

namespace nestor::test {

/// One way to make a right witness wrong.
struct Damage {
  std::string_view name;
  /// Damages one place, chosen at random; false if there is none, or if what comes out might be
  /// right by chance (a path without one of its states can be a path, too).
  bool (*apply)(const model::Rsm& model, base::Random& random, witness::Witness& witness);
};

std::span<const Damage> damages();

}  // namespace nestor::test
