#pragma once

#include "engine/engine.h"

#include <memory>
#include <span>
#include <string_view>

namespace nestor::engine {

/// One row an engine. Help, tests, benchmarks and docs read the rows; nothing else lists engines.
struct EngineInfo {
  std::string_view id;
  std::string_view description;  ///< one line
  std::string_view source;       ///< where the algorithm is from
  std::unique_ptr<Engine> (*make)();
};

std::span<const EngineInfo> engine_registry();
/// The engine that `nestor check` uses unless told otherwise.
const EngineInfo& default_engine();
/// The one that it uses for models without boxes.
const EngineInfo& finite_engine();
/// The one that it uses for formulas that are not CTL.
const EngineInfo& path_engine();
/// Throws Error (Usage) listing the known ids.
const EngineInfo& find_engine(std::string_view id);

}  // namespace nestor::engine
