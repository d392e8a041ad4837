#pragma once

#include <string>

namespace nestor::driver {

// Texts derived from the tables of driver/options.h; committed copies are compared in tests.

/// docs/cli.md
std::string cli_page();
/// completions/nestor.bash
std::string bash_completion();
/// completions/_nestor
std::string zsh_completion();
/// completions/nestor.fish
std::string fish_completion();
/// share/man/nestor.1
std::string manual_page();

}  // namespace nestor::driver
