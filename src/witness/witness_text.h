#pragma once

#include "witness/witness.h"

#include <string>

namespace nestor::witness {

/// A witness for people to read, on a terminal. Long paths are summarised, and of evidence along a
/// path only the beginning is shown: JSON has all of it. States that were explored are told by what
/// happens and what changes, unless they are wanted whole.
std::string witness_text(const model::Rsm& model, const logic::FormulaPool& pool,
                         const Witness& witness, bool whole_states = false);

}  // namespace nestor::witness
