#pragma once

#include <iosfwd>
#include <span>
#include <string>

namespace nestor::driver {

/// Where a run writes. Tests pass string streams.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;  ///< then long work shows its progress on `err`
  std::istream* in = nullptr;    ///< of commands that read more than files; null: nothing to read
  bool in_is_terminal = false;   ///< then lines are read from the terminal, with editing
};

/// The exit statuses (docs/cli.md).
enum ExitStatus : int {
  kAllHold = 0,  ///< also: a command other than `check` did its work
  kSomeFail = 1,
  kRefused = 1,  ///< of `verify`: the certificate proves nothing
  kBadUsageOrInput = 2,
  kSomeUnknown = 3,
  kInternalError = 4,
};

/// Runs the command that `arguments` (without the program's name) ask for; returns the exit status.
/// Throws nothing.
int run(std::span<const std::string> arguments, const Streams& streams);

}  // namespace nestor::driver
