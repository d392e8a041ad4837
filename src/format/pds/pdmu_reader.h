#pragma once

#include "base/input.h"
#include "logic/formula.h"
#include "logic/property.h"
#include "model/builder.h"
#include "model/pushdown_system.h"
#include "model/rsm.h"

#include <string>
#include <vector>

namespace nestor {

/// Reads PDSolver's pushdown systems (docs/formats.md). Throws Error (Input, Unsupported) with
/// file, line and column.
PushdownSystem parse_pdmu(const Input& input);
/// Every proposition that the file mentions, also of heads that no configuration has.
std::vector<std::string> read_pdmu_propositions(const Input& input);
/// The system as a recursive state machine.
Rsm read_pdmu(const Input& input, DeadEnds dead_ends);
/// The file's mu property, as CTL where it is the image of a formula of CTL.
std::vector<ModelProperty> read_pdmu_properties(const Input& input, FormulaPool& pool);

}  // namespace nestor
