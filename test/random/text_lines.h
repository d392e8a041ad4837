#pragma once

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

namespace nestor::test {

/// The lines of a certificate that is damaged, or the fields of such a line.
using Lines = std::vector<std::string>;

inline Lines split(const std::string& text, char at) {
  Lines parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) {
    parts.push_back(part);
  }
  return parts;
}

inline std::string joined(const Lines& lines) {
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

}  // namespace nestor::test
