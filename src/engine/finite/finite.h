#pragma once

#include "engine/engine.h"

#include <memory>

namespace nestor::engine::finite {

// The four algorithms of
//   [Hel97] K. Heljanko: Model checking the branching time temporal logic CTL.  Research report,
//           Digital Systems Laboratory, Helsinki University of Technology, May 1997.
// on models without boxes. Each is in a file of its own; docs/finite.md compares them.
//
// All four give labellings: the three global ones have every value when they have a verdict, the
// local one, almc, is asked for every subformula in every state.

std::unique_ptr<Engine> make_naive();
std::unique_ptr<Engine> make_emc();
std::unique_ptr<Engine> make_almc();
std::unique_ptr<Engine> make_dfs();
std::unique_ptr<Engine> make_dfs_terminal();
/// Beside the report: a local algorithm with a search order, which explored models begin with.
std::unique_ptr<Engine> make_local();

}  // namespace nestor::engine::finite
