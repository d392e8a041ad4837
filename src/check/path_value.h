#pragma once

#include "logic/formula.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace nestor::check {

/// A run as its places: after the last one comes the one at `loop`, or nothing.
struct Places {
  std::size_t count = 0;
  std::optional<std::size_t> loop;
};

/// The value of a path formula at the first place of a run, by the tables of docs/semantics.md:
/// nothing if it is neither true nor false, as `X` at the end is. `state_value(formula, place)` is
/// asked for the state formulas in it that have no connective or path operator outside of
/// quantifiers.
std::optional<bool> path_value(
    const logic::FormulaPool& pool, logic::FormulaId path, const Places& places,
    const std::function<bool(logic::FormulaId, std::size_t)>& state_value);

}  // namespace nestor::check
