#pragma once

#include "driver/run.h"

#include <nestor/program.h>
#include <string>

namespace nestor::driver {

/// `text`, `json`, `sarif` or `junit`.
std::string formatted(const LintReport& report, const std::string& format);
/// What goes to standard error; the exit status.
int tell_rest(const LintReport& report, bool quiet, const Streams& streams);

}  // namespace nestor::driver
