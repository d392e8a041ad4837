#pragma once

#include "base/limits.h"
#include "logic/formula.h"
#include "model/state_space.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace nestor::engine::finite {

/// What `local` decides a formula about a model with one initial state by.
struct FoundValue {
  enum class Ending : std::uint8_t {
    None,     ///< no path shows it
    Here,     ///< the path ends in a state that shows it
    DeadEnd,  ///< nothing follows the last state
    Loop,     ///< the last state is that at `loop` again
  };

  bool holds = false;
  Ending ending = Ending::None;
  std::vector<model::NodeId> path;  ///< of the outermost temporal operator, from the initial state
  std::size_t loop = 0;
};

/// Decides, and shows by a path what one can. Throws LimitReached; the space must not be used after
/// that.
FoundValue find_path(model::StateSpace& space, logic::FormulaPool& pool, logic::FormulaId formula,
                     base::LimitGuard& guard);

}  // namespace nestor::engine::finite
