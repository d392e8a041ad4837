// Bytes as RSM JSON. They are refused with an Error or read; what is read is written, read again
// and written again, and the two texts must be the same.

#include "base/input.h"
#include "base/json_syntax.h"
#include "format/rsm_json/reader.h"
#include "format/rsm_json/writer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

std::optional<std::string> rewritten(std::string_view text) {
  try {
    const nestor::base::Input input = nestor::base::Input::from_text("fuzz.rsm", text);
    return nestor::format::write_rsm_json(
        nestor::format::read_rsm_json(input, nestor::model::DeadEnds::Keep));
  } catch (const nestor::base::Error&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::optional<std::string> once = rewritten(text);
  if (once) {
    // What the reader accepts is JSON, and so is what the writer writes.
    const std::optional<std::string> twice = rewritten(*once);
    if (nestor::base::find_syntax_error(text) || !twice || *twice != *once) {
      std::abort();
    }
  }
  return 0;
}
