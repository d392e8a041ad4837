#pragma once

#include "base/limits.h"
#include "driver/probe/configuration.h"
#include "driver/probe/oracle.h"

#include <string>
#include <vector>

namespace nestor {

/// A path that shows why a formula holds in a state, or why it does not.
struct ProbeEvidence {
  std::vector<Configuration> path;  ///< begins with the state; alone if a path shows nothing
  std::string says;                 ///< what the path shows
};

/// `formula` is in existential normal form. Throws LimitReached.
ProbeEvidence find_evidence(const Rsm& model, const FormulaPool& pool, Oracle& oracle,
                            FormulaId formula, const Configuration& state);

/// The shortest path from `state` to a state that satisfies `goal`, through states that satisfy
/// `through` if it is valid. Empty if there is none. Throws LimitReached after too many states.
std::vector<Configuration> shortest_path(const Rsm& model, Oracle& oracle, FormulaId through,
                                         FormulaId goal, const Configuration& state);

}  // namespace nestor
