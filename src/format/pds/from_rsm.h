#pragma once

#include "model/pushdown_system.h"
#include "model/rsm.h"

namespace nestor::format {

/// The same transition system as a pushdown system: every formula of CTL, `X` included, has the
/// same verdict on both. docs/formats.md has the construction and why it is right. Names are
/// changed where a file could not hold them; source positions are lost.
model::PushdownSystem from_rsm(const model::Rsm& model);

}  // namespace nestor::format
