#pragma once

#include "model/rsm.h"
#include "session/subject.h"

#include <string>
#include <vector>

namespace nestor::session {

/// Most probably a slip of the pen: a proposition that no node carries is false everywhere.
void warn_of_unknown_propositions(const Subject& subject, const std::vector<std::string>& names,
                                  std::vector<std::string>& warnings);
void warn_of_dead_ends(const model::Rsm& machine, std::vector<std::string>& warnings);

}  // namespace nestor::session
