#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nestor::test {

/// What a random comparison is asked for.
struct RunOptions {
  std::size_t count;   ///< how many pairs or cases
  std::uint64_t seed;  ///< of the first; case k has seed + k
  std::string folder;  ///< where failing cases are written
};

/// Reads `COUNT_NAME=N`, `--seed=S` and `--out=FOLDER`; ends the program where something else is
/// asked for. The variable NESTOR_SCALE of the environment multiplies the count: 0.1 for a quick
/// look, 10 for a night.
RunOptions read_options(int argc, char** argv, std::string_view count_name, RunOptions defaults);

/// `count` times NESTOR_SCALE, at least 1.
std::size_t scaled(std::size_t count);

}  // namespace nestor::test
