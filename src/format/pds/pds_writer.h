#pragma once

#include "model/pushdown_system.h"
#include "model/rsm.h"

#include <string>

namespace nestor::format {

/// PuMoC's format (docs/formats.md), propositions first. Throws Error (Unsupported) if a
/// proposition holds a quotation mark or a line break.
std::string format_pds(const model::PushdownSystem& system);
/// The model as a pushdown system in that format.
std::string write_pds(const model::Rsm& model);

}  // namespace nestor::format
