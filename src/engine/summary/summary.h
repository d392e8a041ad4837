#pragma once

#include "engine/engine.h"

#include <memory>

namespace nestor {

/// The default engine: exit summaries, all formulas of a shape at once. See summary.cpp.
std::unique_ptr<Engine> make_summary();

}  // namespace nestor
