#pragma once

#include "driver/options.h"
#include "format/registry.h"
#include "model/rsm.h"

#include <cstddef>
#include <string>
#include <vector>

namespace nestor {

/// A model, read, with what reading it took.
struct LoadedModel {
  Rsm model;
  std::string name;  ///< of the file, for messages
  const FormatInfo* format = nullptr;
  std::size_t input_bytes = 0;
  double seconds = 0;
  std::vector<std::string> warnings;      ///< of the reader
  std::vector<ModelProperty> properties;  ///< that stand in the file, if they were asked for
};

/// Reads `options.model`, and the properties in its file if `properties_to` is given. Throws Error.
/// The row of the format that only the driver knows, since LLVM reads it: C and C++ programs.
const FormatInfo& bitcode_format();
/// Like find_format(), bitcode included.
const FormatInfo& find_input_format(std::string_view id, std::string_view path);

LoadedModel load_model(const Options& options, FormulaPool* properties_to = nullptr);

/// Seconds since it was made.
class Stopwatch {
 public:
  Stopwatch();
  double seconds() const;

 private:
  std::int64_t start_;  // in nanoseconds
};

}  // namespace nestor
