#pragma once

#include "engine/engine.h"

#include <memory>
#include <string>

namespace nestor::engine::rks {

// The algorithms of the thesis on recursive Kripke structures, for models whose components have at
// most one exit each.
std::unique_ptr<Engine> make_rks();              ///< chapter 3
std::unique_ptr<Engine> make_rks_incremental();  ///< chapter 4
std::unique_ptr<Engine> make_rks_split();        ///< appendix A

/// Empty, or why the algorithms do not apply: several exits.
std::string not_for_rks(const Task& task);

}  // namespace nestor::engine::rks
