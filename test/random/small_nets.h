#pragma once

#include "base/random.h"
#include "net/petri_net.h"

#include <cstdint>
#include <string>

namespace nestor::test {

/// A small place/transition net; some are unbounded.
net::PetriNet random_petri_net(base::Random& random);

inline constexpr std::int64_t kProdValues = 3;  // fields are below this

/// A predicate/transition net in PROD's language: two places with tuples of one and two fields, one
/// without; variables x and y, z computed. Some have mistakes, some are unbounded.
std::string random_prod_net(base::Random& random);

}  // namespace nestor::test
