#pragma once

#include "base/limits.h"
#include "logic/property.h"
#include "logic/simplifier.h"
#include "model/builder.h"
#include "model/rsm.h"
#include "model/successor_function.h"

#include <cstddef>
#include <memory>
#include <nestor/settings.h>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace nestor::logic {

/// What a reader is told besides the file.
struct ReadOptions {
  /// What they mean; Infinite also if nobody has said.
  model::DeadEnds dead_ends = model::DeadEnds::Keep;
  base::Limits limits = {};           ///< for files whose states are explored while they are read
  FormulaPool* properties = nullptr;  ///< where the file's properties go, if they are wanted
  bool mentioned = false;             ///< ReadModel::mentioned is wanted
  /// Where to start, `COMPONENT` or `COMPONENT:NODE`; empty: where the file says.
  std::string initial = {};

  // Of C and C++ programs.
  std::vector<std::string> link = {};  ///< further files of the program
  std::string externals = {};          ///< a model of external functions, beside the shipped one
  std::size_t most_targets = 256;      ///< of one indirect call

  NetStage last_stage = NetStage::DecisionDiagrams;  ///< of nets
};

/// What a file says.
struct ReadModel {
  using Machines =
      std::vector<model::Rsm>;  ///< one or more; ModelProperty::model says which one is meant
  using States =
      std::shared_ptr<model::SuccessorFunction>;  ///< a model given by how its states change

  /// LimitReached: the file's states had to be explored, and there were too many.
  std::variant<Machines, States, base::LimitReached> model;
  /// Null, or what makes questions about the states smaller.
  std::shared_ptr<const Simplifier> simplifier = nullptr;
  std::vector<ModelProperty> properties;
  std::vector<std::string> warnings;
  /// Every proposition that stands in the file, for formats where that may be more than the model
  /// has.
  std::vector<std::string> mentioned = {};
  /// The model has no initial state, and the machine, whose only path ends, stands for it.
  bool is_empty = false;
  /// The reader has heeded ReadOptions::initial; else whoever asked for it chooses among the
  /// components.
  bool starts_as_asked = false;
  /// What dead ends mean in models of this kind, unless the user says otherwise.
  model::DeadEnds dead_ends = model::DeadEnds::Keep;

  /// Null if the model is given otherwise; likewise none.
  States states() const {
    const auto* given = std::get_if<States>(&model);
    return given == nullptr ? nullptr : *given;
  }
  std::span<const model::Rsm> machines() const {
    const auto* given = std::get_if<Machines>(&model);
    return given == nullptr ? std::span<const model::Rsm>() : std::span<const model::Rsm>(*given);
  }
};

}  // namespace nestor::logic
