#pragma once

#include "witness/witness_document.h"

#include <string>

namespace nestor {

/// A witness of a file, on a model.
struct BoundWitness {
  Witness witness;
  std::string fault;  ///< what is not in the model as the witness says; empty if all is
};

/// Finds what a witness names in `model`. All that the file says of states is compared: procedure,
/// labels, source position.
BoundWitness bind_witness(const WitnessDocument& document, const Rsm& model, FormulaPool& pool);

}  // namespace nestor
