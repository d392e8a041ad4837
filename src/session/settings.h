#pragma once

#include "base/limits.h"
#include "model/builder.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace nestor::session {

/// How far the work has come.
struct Progress {
  enum class Work : std::uint8_t { Exploring, Deciding };
  Work work = Work::Deciding;
  std::size_t done = 0;   ///< states expanded; formulas decided
  std::size_t known = 0;  ///< states found; formulas asked
};

/// How questions are answered. Nothing of it changes a verdict, but for `unknown` and what dead
/// ends mean.
struct Settings {
  std::string engine = {};   ///< an id of the registry; empty: what suits the model
  base::Limits limits = {};  ///< for each formula, and for exploring the model
  std::optional<model::DeadEnds> dead_ends =
      {};                  ///< what they mean; unless given, as the model says
  unsigned jobs = 1;       ///< threads
  std::uint64_t seed = 1;  ///< of engines that choose at random
  /// Evidence will be asked for. An engine that could decide while it explores gets the whole
  /// model then, so that states are found once.
  bool wants_evidence = false;
  /// Called now and then, from any thread, one call at a time.
  std::function<void(const Progress&)> progress = {};
};

}  // namespace nestor::session
