#pragma once

#include "base/limits.h"
#include "probe/configuration.h"
#include "probe/oracle.h"

#include <string>
#include <vector>

namespace nestor::probe {

/// A path that shows why a formula holds in a state, or why it does not.
struct ShownPath {
  std::vector<Configuration> path;  ///< begins with the state; alone if a path shows nothing
  std::string says;                 ///< what the path shows
};

/// `formula` is in existential normal form. Throws LimitReached.
ShownPath find_evidence(const model::Rsm& model, const logic::FormulaPool& pool, Oracle& oracle,
                        logic::FormulaId formula, const Configuration& state);

/// The shortest path from `state` to a state that satisfies `goal`, through states that satisfy
/// `through` if it is valid. Empty if there is none. Throws LimitReached after too many states.
std::vector<Configuration> shortest_path(const model::Rsm& model, Oracle& oracle,
                                         logic::FormulaId through, logic::FormulaId goal,
                                         const Configuration& state);

}  // namespace nestor::probe
