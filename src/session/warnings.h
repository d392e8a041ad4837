#pragma once

#include "session/subject.h"

#include <functional>
#include <string>
#include <vector>

namespace nestor::session {

/// What is odd about the subject's machines and the formulas: dead ends, and what they mean;
/// propositions of theirs that no node carries.
std::vector<std::string> warnings_of(const Subject& subject,
                                     const std::vector<std::string>& propositions);

/// Of propositions that no node carries: most probably a slip of the pen, they are false
/// everywhere.
std::vector<std::string> warnings_of_unknown(
    const std::vector<std::string>& propositions,
    const std::function<bool(const std::string&)>& is_known);

}  // namespace nestor::session
