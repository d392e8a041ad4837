// Bytes as a rule file and as a model of external functions: refused with an Error or read.

#include "base/input.h"
#include "lint/rule.h"
#include "program/externals.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const nestor::base::Input input = nestor::base::Input::from_text(
      "fuzz.toml", std::string_view(reinterpret_cast<const char*>(data), size));
  try {
    static_cast<void>(nestor::lint::read_rules(input));
  } catch (const nestor::base::Error&) {
  }
  try {
    nestor::program::Externals externals;
    nestor::program::read_externals(input, externals);
  } catch (const nestor::base::Error&) {
  }
  return 0;
}
