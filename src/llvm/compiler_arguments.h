#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nestor::bitcode {

/// What the arguments of a C compiler ask for, as far as a wrapper must know.
struct CompilerArguments {
  enum class Mode : std::uint8_t {
    Other,    ///< preprocess, assemble, list dependencies, print something: no object is made
    Compile,  ///< `-c`: an object for each source
    Link,     ///< a program or a shared library
  };

  Mode mode = Mode::Link;
  std::vector<std::string> sources;  ///< C and C++ files among the inputs
  std::string output;                ///< of `-o`; empty if not given
  /// The arguments that matter to the front end: no inputs, outputs, optimisation, dependency
  /// files.
  std::vector<std::string> front_end;

  /// Where the object of `source` goes in Mode::Compile.
  std::string object_of(const std::string& source) const;
  /// The linked file.
  std::string linked() const { return output.empty() ? "a.out" : output; }
};

CompilerArguments parse_compiler_arguments(std::span<const std::string> arguments);

/// The same without the listings that an assembler is to write (`-Wa,-adhlns=FILE`): builds for GCC
/// ask for them, and clang has an assembler of its own that refuses the option.
std::vector<std::string> without_listings(std::span<const std::string> arguments);

}  // namespace nestor::bitcode
