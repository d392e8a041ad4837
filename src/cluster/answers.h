#pragma once

#include "cluster/communicator.h"
#include "driver/check_report.h"

#include <functional>
#include <nestor/check.h>
#include <span>
#include <string>
#include <vector>

namespace nestor::cluster {

/// What one formula came to.
struct FormulaAnswer {
  Result result;
  driver::WitnessTexts witness;
  std::string without_witness;  ///< why there is none, if one was wanted
};

/// How evidence is wanted.
struct WitnessWish {
  bool text = false;
  bool json = false;
  bool whole_states = false;

  bool any() const { return text || json; }
};

/// Formulas about a model that every process has: the first one hands out batches of them, and does
/// one itself whenever nobody waits. One answer a formula, in the first process; in others none.
std::vector<FormulaAnswer> share_out(Communicator& communicator, const Model& model,
                                     const Settings& settings, const std::vector<Formula>& formulas,
                                     std::span<const std::size_t> numbers, WitnessWish wish);

}  // namespace nestor::cluster
