#pragma once

#include "driver/options.h"

#include <span>
#include <string>

namespace nestor::driver {

/// A command line, understood: a command to run with its options, or a text to print.
struct CommandLine {
  const CommandRow* command = nullptr;
  Options options;
  std::string text;  ///< help or version, if there is no command
};

/// Throws Error (Usage).
CommandLine parse_command_line(std::span<const std::string> arguments);

}  // namespace nestor::driver
