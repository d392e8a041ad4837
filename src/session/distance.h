#pragma once

#include "base/limits.h"
#include "engine/engine.h"
#include "logic/property.h"
#include "session/subject.h"

#include <cstddef>

namespace nestor::session {

/// How many steps lead from a state with the proposition `from` to one with `to`, in a machine
/// without calls: at least, or at most (states that never come to `to` count with all their steps).
/// The result holds, and says how: a number, `infinity`, or `undefined` where no state has one of
/// the two.
engine::Result measured(const Subject& subject, std::size_t machine,
                        const logic::ModelProperty::Distance& distance, const base::Limits& limits);

}  // namespace nestor::session
