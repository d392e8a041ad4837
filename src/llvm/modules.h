#pragma once

#include <span>
#include <string>

namespace nestor::bitcode {

/// Links bitcode files and writes the result to `output`, whole or not at all. Throws Error.
void write_linked_bitcode(std::span<const std::string> paths, const std::string& output);

}  // namespace nestor::bitcode
