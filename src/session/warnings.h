#pragma once

#include "session/subject.h"

#include <string>
#include <vector>

namespace nestor::session {

/// What is odd about the subject's machines and the formulas: dead ends, and what they mean;
/// propositions of theirs that no node carries.
std::vector<std::string> warnings_of(const Subject& subject,
                                     const std::vector<std::string>& propositions);

}  // namespace nestor::session
