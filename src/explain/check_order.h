#pragma once

#include "logic/formula.h"
#include "model/rsm.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nestor::explain {

/// The local checks of context pairs that decide one formula, in their order, as the thesis on
/// recursive Kripke structures counts them (section 5.4, table 5.1).
struct CheckOrder {
  struct Check {
    model::ComponentId component;
    std::string context;      ///< t or f for each temporal subformula, the outermost first
    std::uint32_t round = 0;  ///< of the fixpoint, from 1 on; 0: before it
  };
  struct Part {
    logic::FormulaId formula;  ///< EG or EU
    std::size_t pairs = 0;     ///< that are checked
    std::uint32_t rounds = 0;
    std::vector<Check> checks;
  };
  std::vector<Part> parts;  ///< operands first
};

}  // namespace nestor::explain
