#pragma once

#include "witness/witness.h"

#include <string>
#include <string_view>

namespace nestor::witness {

/// The witness as one JSON object (share/nestor/schema). `text` is the formula as the
/// user wrote it.
std::string witness_json(const model::Rsm& model, const logic::FormulaPool& pool,
                         const Witness& witness, std::string_view text);

/// The propositions that a formula mentions and some node carries, in the order of the formula.
std::vector<model::PropId> mentioned_props(const model::Rsm& model, const logic::FormulaPool& pool,
                                           logic::FormulaId formula);

bool carries(const model::Rsm& model, model::NodeId plain, model::PropId prop);

/// The boxes by which the stack grows in a loop, the outermost first; empty if it does not.
std::vector<model::BoxId> grown_by(const Witness& witness, const Evidence& evidence);

}  // namespace nestor::witness
