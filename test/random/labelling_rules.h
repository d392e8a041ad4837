#pragma once

#include "explain/labelling.h"

#include <string>

namespace nestor::test {

/// What is wrong with a labelling by the rules that make it right (docs/certificates.md), applied
/// as plainly as can be, for small models; empty if nothing is.
std::string broken_rule(const model::Rsm& model, const logic::FormulaPool& pool,
                        const explain::Labelling& labelling);

}  // namespace nestor::test
