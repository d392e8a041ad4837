#pragma once

#include "base/limits.h"
#include "base/statistics.h"
#include "driver/options.h"
#include "driver/run.h"
#include "format/registry.h"
#include "model/fairness.h"
#include "model/rsm.h"
#include "model/successor_function.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace nestor {

/// A model, read, with what reading it took.
struct LoadedModel {
  Rsm model;  ///< empty as long as `states` is set and not explored
  /// Of formats that describe a model by how its states change.
  std::shared_ptr<SuccessorFunction> states;
  std::string name;  ///< of the file, for messages
  const FormatInfo* format = nullptr;
  std::size_t input_bytes = 0;
  double seconds = 0;
  std::string sha256;                     ///< if it was asked for and there is one
  std::vector<std::string> warnings;      ///< of the reader
  std::vector<ModelProperty> properties;  ///< that stand in the file, if they were asked for
  std::vector<Rsm> other_models;          ///< ModelProperty::model - 1 is the index of a property's
  Fairness fairness;                      ///< of `model`
  std::string unexplored;                 ///< the limit that reading reached, if it did

  /// The model that a formula speaks of.
  const Rsm& model_of(std::size_t formula) const;
  /// Why the verdict on a formula cannot be certified; empty if it can.
  std::string not_provable(std::size_t formula) const;
  /// Why there are no witnesses; empty if there are.
  std::string not_explainable() const;
};

/// Whether to find the SHA-256 that certificates name a model by. It is that of the RSM JSON file;
/// for a model in another format, or one whose dead ends were made to loop, of the file that
/// `nestor convert` writes. A model whose states are explored has one for each set of propositions:
/// explored_with().
enum class Fingerprint : std::uint8_t { Leave, Take };

/// The row of the format that only the driver knows, since LLVM reads it: C and C++ programs.
const FormatInfo& bitcode_format();
/// Like find_format(), bitcode included.
const FormatInfo& find_input_format(std::string_view id, std::string_view path);

/// Reads `options.model`, and the properties in its file if `properties_to` is given. Throws Error.
LoadedModel load_model(const Options& options, FormulaPool* properties_to = nullptr,
                       Fingerprint fingerprint = Fingerprint::Leave);
/// Reads `options.model` and explores it if it has to be, within the limits of the options: with
/// its own propositions, or if it has none with those of the properties in its file. Throws Error,
/// also if a limit is reached.
LoadedModel load_whole_model(const Options& options, const Streams& streams);

/// The model of `loaded.states` with those of `propositions` that it knows and no others, in the
/// order of their names, and its SHA-256: what `nestor convert --formula` makes of it. Throws
/// Error, LimitReached.
LoadedModel explored_with(const LoadedModel& loaded, std::vector<std::string> propositions,
                          const Options& options, const Streams& streams);
/// The same; a limit that is reached is an Error.
LoadedModel explored_or_refused(const LoadedModel& loaded, std::vector<std::string> propositions,
                                const Options& options, const Streams& streams);

/// What the options say of dead ends.
DeadEnds dead_ends_of(const Options& options);
/// What the options allow.
Limits limits_of(const Options& options);
/// Makes `loaded.model` from `loaded.states`, with those of `propositions` that it knows, showing
/// its progress. Throws Error, LimitReached.
void explore_states(LoadedModel& loaded, std::span<const std::string> propositions,
                    const Options& options, const Streams& streams,
                    Statistics* statistics = nullptr);
/// The same; a limit that is reached is an Error.
void explore_or_refuse(LoadedModel& loaded, std::span<const std::string> propositions,
                       const Options& options, const Streams& streams);

}  // namespace nestor
