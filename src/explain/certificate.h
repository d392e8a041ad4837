#pragma once

#include "base/limits.h"
#include "explain/labelling.h"

#include <functional>
#include <string_view>

namespace nestor::explain {

/// Whether the formula of a labelling holds: its value at every initial node of the root is 1.
bool holds(const model::Rsm& model, const Labelling& labelling);

/// Writes the certificate of a labelling (docs/certificates.md), piece by piece. `model_hash` is
/// the SHA-256 of the RSM JSON file, in hex. The labelling must be right: one that no proof is
/// found for is an internal error. May throw LimitReached from `guard`.
void write_certificate(const model::Rsm& model, const logic::FormulaPool& pool,
                       const Labelling& labelling, std::string_view model_hash,
                       base::LimitGuard& guard, const std::function<void(std::string_view)>& write);

}  // namespace nestor::explain
