#pragma once

#include "model/rsm.h"

#include <string>

namespace nestor::smv {

/// The model as SMV: a module with one enumeration variable for each component, CALL and EXIT for
/// boxes and exits (docs/smv.md). Throws Error (Unsupported) for what SMV cannot express: several
/// entries or exits, a call after a call, an exit that goes on.
std::string write_smv(const model::Rsm& model);

}  // namespace nestor::smv
