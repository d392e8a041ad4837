#pragma once

#include <span>
#include <string>
#include <vector>

namespace nestor::bitcode {

/// A compiler that does its work as usual and leaves bitcode beside what it makes: `X.o.bc` for an
/// object `X.o`, and for a linked file `X` the bitcode of all its members in `X.bc`.
///
/// An object remembers its bitcode by a section with the path. Linkers join such sections, so the
/// linked file names exactly the members that went into it, also those that came out of archives.
struct CompilerCall {
  std::string compiler;  ///< name or path
  std::span<const std::string> arguments;
};

struct CompilerOutcome {
  int status = 0;                     ///< of the compiler
  std::vector<std::string> warnings;  ///< why some bitcode could not be made
};

/// Throws Error (System) if there is no such compiler.
CompilerOutcome run_compiler(const CompilerCall& call);

}  // namespace nestor::bitcode
