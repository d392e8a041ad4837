#pragma once

#include "logic/formula.h"
#include "session/subject.h"

#include <string>
#include <vector>

namespace nestor::session {

/// What is odd about the subject's machines and the formulas: dead ends, and what they mean;
/// propositions that no node carries.
std::vector<std::string> warnings_of(const Subject& subject, const logic::FormulaPool& pool);

}  // namespace nestor::session
