#pragma once

#include "engine/engine.h"

#include <memory>

namespace nestor::engine::labelling {

/// Models without boxes, with or without fairness; all formulas of a task together.
std::unique_ptr<Engine> make_labelling();

}  // namespace nestor::engine::labelling
