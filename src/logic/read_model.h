#pragma once

#include "base/limits.h"
#include "logic/property.h"
#include "model/builder.h"
#include "model/rsm.h"
#include "model/successor_function.h"

#include <memory>
#include <string>
#include <vector>

namespace nestor {

struct ReadOptions {
  DeadEnds dead_ends = DeadEnds::Keep;
  Limits limits;                      ///< for files whose states are explored while they are read
  FormulaPool* properties = nullptr;  ///< where the file's properties go, if they are wanted
};

/// What a file says, for formats whose model and properties are read together.
struct ReadModel {
  /// Set if the model is given by how its states change; else `models` has at least one.
  std::shared_ptr<SuccessorFunction> states;
  std::vector<Rsm> models;  ///< ModelProperty::model says which one a property speaks of
  std::vector<ModelProperty> properties;
  std::vector<std::string> warnings;
  std::string unexplored;  ///< the limit that was reached, if one was; then there is no model
};

}  // namespace nestor
