#pragma once

#include "base/bit_layout.h"
#include "smv/machine/machine.h"

#include <cstdint>
#include <vector>

namespace nestor::smv {

/// One thing to do on the way to a new state.
struct PlanStep {
  enum class Kind : std::uint8_t {
    Assign,  ///< the variable gets each value of the code at `entry`
    Define,  ///< the same, but a value that is not in its type only means that there is no state
    Any,     ///< each value of its type
    Keep,    ///< its current value
    Check,   ///< go on only if the condition at `entry` holds
    Marks,   ///< the inputs are chosen: find out which fairness constraints hold
  };
  Kind kind = Kind::Any;
  bool fixed = false;  ///< depends on the current state and the inputs only
  bool input = false;  ///< the variable is an input: its value is part of the current ones
  VariableId variable;
  std::uint32_t entry = 0;
  Place at = 0;
};

/// How new states are made: the initial ones, or those that follow when one process runs. Steps are
/// in an order in which everything that is read is known, and every condition is checked as soon as
/// it can be.
struct Plan {
  std::int64_t process = -1;  ///< -1: initial states
  std::vector<PlanStep> steps;
  std::vector<std::uint32_t> fairness;  ///< the conditions' code, in the order of the model
};

/// Throws Error: a variable that depends on itself, or is assigned in two ways.
Plan plan_initial(const base::Input& input, const FlatModel& model, Compiler& compiler);
Plan plan_step(const base::Input& input, const FlatModel& model, Compiler& compiler,
               std::size_t process);

}  // namespace nestor::smv
