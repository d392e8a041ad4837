#pragma once

#include "driver/run.h"

#include <string>

namespace nestor::driver {

/// Writes a text to a file, whole or not at all; to standard output if the path is empty or `-`.
void write_output(const std::string& path, const std::string& text, const Streams& streams);

}  // namespace nestor::driver
