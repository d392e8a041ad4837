#pragma once

#include "engine/engine.h"

#include <memory>

namespace nestor::engine::summary {

/// The default engine: exit summaries, all formulas of a shape at once. See summary.cpp.
std::unique_ptr<Engine> make_summary();
/// The same without the search near the initial states that may end it early: for comparisons, and
/// for figures about whole models.
std::unique_ptr<Engine> make_summary_whole();
/// The same, but it tries to decide by bounds before it makes any context: for comparisons.
std::unique_ptr<Engine> make_summary_bounds();

}  // namespace nestor::engine::summary
