#pragma once

#include <string>

namespace nestor::driver {

// Texts derived from the tables of driver/options.h; committed copies are compared in tests.

/// docs/cli.md
std::string cli_page();
/// completions/nestor.bash
std::string bash_completion();

}  // namespace nestor::driver
