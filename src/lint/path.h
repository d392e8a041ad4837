#pragma once

#include "lint/warning.h"
#include "program/slice.h"
#include "witness/witness.h"

#include <string>
#include <vector>

namespace nestor::lint {

/// Which labels of a model are events of the rule.
struct TellingLabel {
  std::string atom;
  const EventPattern* event = nullptr;  ///< null: an end of a function or of the program
  bool is_site = false;
};

/// What happens on the paths of a witness, in their order: the events of the rule, calls that are
/// entered and returns from them, and the branches that matter, if the model has them all. A branch
/// matters if events lie on one of its ways that do not lie on another.
std::vector<PathStep> path_of(const program::Program& program, const program::SlicedModel& model,
                              const witness::Witness& witness,
                              const std::vector<TellingLabel>& labels, bool tells_branches);

}  // namespace nestor::lint
