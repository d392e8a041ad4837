#pragma once

#include "witness/witness_document.h"

#include <string>

namespace nestor::check {

/// A witness of a file, on a model.
struct BoundWitness {
  witness::Witness witness;
  std::string fault;  ///< what is not in the model as the witness says; empty if all is
};

/// Finds what a witness names in `model`. All that the file says of states is compared: procedure,
/// labels, source position.
BoundWitness bind_witness(const witness::WitnessDocument& document, const model::Rsm& model,
                          logic::FormulaPool& pool);

}  // namespace nestor::check
