// Bytes as a pushdown system of PuMoC. They are refused with an Error or read; what is read is
// written, read again and written again, and the two texts must be the same. It is converted to a
// recursive state machine and back as well.

#include "base/input.h"
#include "format/pds/from_rsm.h"
#include "format/pds/pds_reader.h"
#include "format/pds/pds_writer.h"
#include "format/pds/to_rsm.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

std::optional<std::string> rewritten(std::string_view text) {
  try {
    const nestor::model::PushdownSystem system =
        nestor::format::parse_pds(nestor::base::Input::from_text("fuzz.pds", text));
    nestor::format::from_rsm(
        nestor::format::to_rsm(system, "fuzz.pds", nestor::model::DeadEnds::Loop));
    return nestor::format::format_pds(system);
  } catch (const nestor::base::Error&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::optional<std::string> once =
      rewritten(std::string_view(reinterpret_cast<const char*>(data), size));
  if (once) {
    const std::optional<std::string> twice = rewritten(*once);
    if (!twice || *twice != *once) {
      std::abort();
    }
  }
  return 0;
}
