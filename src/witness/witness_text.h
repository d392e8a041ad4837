#pragma once

#include "witness/witness.h"

#include <string>

namespace nestor::witness {

/// A witness for people to read, on a terminal. Long paths are summarised, and of evidence along a
/// path only the beginning is shown: JSON has all of it.
std::string witness_text(const model::Rsm& model, const logic::FormulaPool& pool,
                         const Witness& witness);

}  // namespace nestor::witness
