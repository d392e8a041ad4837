#pragma once

#include "base/input.h"
#include "logic/formula.h"
#include "logic/property.h"
#include "model/builder.h"
#include "model/pushdown_system.h"
#include "model/rsm.h"

#include <string>
#include <vector>

namespace nestor::format {

/// Reads PDSolver's pushdown systems (docs/formats.md). Throws Error (Input, Unsupported) with
/// file, line and column.
model::PushdownSystem parse_pdmu(const base::Input& input);
/// Every proposition that the file mentions, also of heads that no configuration has.
std::vector<std::string> read_pdmu_propositions(const base::Input& input);
/// The system as a recursive state machine.
model::Rsm read_pdmu(const base::Input& input, model::DeadEnds dead_ends);
/// The file's mu property, as CTL where it is the image of a formula of CTL.
std::vector<logic::ModelProperty> read_pdmu_properties(const base::Input& input,
                                                       logic::FormulaPool& pool);

}  // namespace nestor::format
