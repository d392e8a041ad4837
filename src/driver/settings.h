#pragma once

#include "driver/options.h"
#include "driver/progress.h"

#include <nestor/model.h>

namespace nestor::driver {

/// What the options say about how to answer; progress goes to `line`, if it is given.
Settings settings_of(const Options& options, ProgressLine* line = nullptr);
/// The model that the options name; without properties and fingerprint.
ModelSource source_of(const Options& options);
/// The formulas of the options and of the files they name. Throws Error.
std::vector<Formula> formulas_of(const Options& options);

/// The options' model, explored if it has to be: with the propositions that it has of itself, or
/// else those of the properties in its file. Throws Error, also if a limit is reached.
Model whole_model(const Options& options, const Streams& streams);

/// Throws Error (Usage) if both are standard input.
void refuse_stdin_twice(const std::string& one, const std::string& other);

}  // namespace nestor::driver
