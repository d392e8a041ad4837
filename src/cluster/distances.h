#pragma once

#include "cluster/labelling.h"

#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace nestor::cluster {

/// How many steps each state of this process is away from a goal, on paths through given states.
/// Found backwards from the goals; a state that hears of a shorter way tells its predecessors, so
/// that one phase is enough.
class Distances {
 public:
  static constexpr Word kFar = std::numeric_limits<Word>::max();

  /// All states before a goal are in `along`; goals need not be. All processes call this. Throws
  /// LimitReached.
  Distances(Communicator& communicator, const LabelledPart& part, const base::BitSet& along,
            const base::BitSet& goals, const base::Limits& limits);

  Word operator[](Word state) const { return distance_[state]; }

 private:
  std::vector<Word> distance_;
};

/// States of `inside` with a step to such a state that satisfies one of `marks`. All processes call
/// this.
base::BitSet sources_of_marked(Communicator& communicator, const LabelledPart& part,
                               const base::BitSet& inside, std::uint32_t marks);

}  // namespace nestor::cluster
