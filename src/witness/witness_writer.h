#pragma once

#include "witness/witness.h"

#include <string>
#include <string_view>

namespace nestor {

/// The witness as one JSON object (docs/witness.schema.json). `text` is the formula as the
/// user wrote it.
std::string witness_json(const Rsm& model, const FormulaPool& pool, const Witness& witness,
                         std::string_view text);

/// The propositions that a formula mentions and some node carries, in the order of the formula.
std::vector<PropId> mentioned_props(const Rsm& model, const FormulaPool& pool, FormulaId formula);

bool carries(const Rsm& model, NodeId plain, PropId prop);

/// The boxes by which the stack grows in a loop, the outermost first; empty if it does not.
std::vector<BoxId> grown_by(const Witness& witness, const Evidence& evidence);

}  // namespace nestor
