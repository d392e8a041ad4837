#pragma once

#include "logic/mu_formula.h"
#include "logic/parser.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace nestor::logic {

/// A property that stands in a model's file.
struct ModelProperty {
  /// Its `formula` is not valid if the property is of the mu-calculus, or is not supported.
  NamedFormula formula;
  std::string unsupported;  ///< what of it is not, with its place; else empty
  std::size_t model = 0;    ///< of files with several models: which one it speaks of
  /// If it is of the mu-calculus and not of CTL; else null.
  std::shared_ptr<const MuFormula> mu = nullptr;
  /// What is asked for is a number: how many steps lead from a state with one proposition to one
  /// with the other, at least or at most. `formula` names the two.
  struct Distance {
    std::string from;
    std::string to;
    bool longest = false;
  };
  std::optional<Distance> distance = {};
  /// It speaks of all paths, whatever fairness constraints the model has: an invariant.
  bool all_paths = false;
};

}  // namespace nestor::logic
