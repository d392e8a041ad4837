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
  std::string sha256;                     ///< of the model as RSM JSON, if it was asked for
  std::vector<std::string> warnings;      ///< of the reader
  std::vector<ModelProperty> properties;  ///< that stand in the file, if they were asked for
};

/// Whether to find the SHA-256 that certificates name a model by. It is that of the RSM JSON file;
/// for a model in another format, or one whose dead ends were made to loop, of the file that
/// `nestor convert` writes.
enum class Fingerprint : std::uint8_t { Leave, Take };

/// The row of the format that only the driver knows, since LLVM reads it: C and C++ programs.
const FormatInfo& bitcode_format();
/// Like find_format(), bitcode included.
const FormatInfo& find_input_format(std::string_view id, std::string_view path);

/// Reads `options.model`, and the properties in its file if `properties_to` is given. Throws Error.
LoadedModel load_model(const Options& options, FormulaPool* properties_to = nullptr,
                       Fingerprint fingerprint = Fingerprint::Leave);

/// Seconds since it was made.
class Stopwatch {
 public:
  Stopwatch();
  double seconds() const;

 private:
  std::int64_t start_;  // in nanoseconds
};

}  // namespace nestor
