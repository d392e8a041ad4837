#pragma once

#include "driver/options.h"
#include "format/registry.h"
#include "model/rsm.h"

#include <cstddef>
#include <string>

namespace nestor {

/// A model, read, with what reading it took.
struct LoadedModel {
  Rsm model;
  std::string name;  ///< of the file, for messages
  const FormatInfo* format = nullptr;
  std::size_t input_bytes = 0;
  double seconds = 0;
};

/// Reads `options.model`. Throws Error.
LoadedModel load_model(const Options& options);

/// Seconds since it was made.
class Stopwatch {
 public:
  Stopwatch();
  double seconds() const;

 private:
  std::int64_t start_;  // in nanoseconds
};

}  // namespace nestor
