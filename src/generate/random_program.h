#pragma once

#include "base/random.h"
#include "generate/random_rsm.h"
#include "model/rsm.h"

#include <cstddef>
#include <vector>

namespace nestor::generate {

/// Programs as compilers see them: procedures of sequences, branches, loops, calls and early
/// returns, every procedure called from an earlier one, some calls recursive.
struct RandomProgramOptions {
  std::size_t nodes = 1000;  ///< about this many in all, call and return nodes included
  std::size_t least_procedure = 5;
  std::size_t largest_procedure = 50;
  std::size_t most_exits = 3;
  double recursion = 0.2;  ///< share of the further calls that lead back to an earlier procedure
  std::vector<LabelShare> labels = {{"p", 0.1}, {"q", 0.05}};
};

/// Deterministic as random_rsm() is. Time and memory linear in the size.
model::Rsm random_program(const RandomProgramOptions& options, base::Random& random);

}  // namespace nestor::generate
