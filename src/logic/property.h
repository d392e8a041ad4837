#pragma once

#include "logic/parser.h"

#include <cstddef>
#include <string>

namespace nestor::logic {

/// A property that stands in a model's file.
struct ModelProperty {
  NamedFormula formula;     ///< its `formula` is not valid if the property is not supported
  std::string unsupported;  ///< what of it is not, with its place; else empty
  std::size_t model = 0;    ///< of files with several models: which one it speaks of
  /// It speaks of all paths, whatever fairness constraints the model has: an invariant.
  bool all_paths = false;
};

}  // namespace nestor::logic
