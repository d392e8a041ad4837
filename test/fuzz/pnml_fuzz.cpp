// Bytes as a net in PNML. They are refused with an Error or read; then some markings are explored.

#include "base/input.h"
#include "base/limits.h"
#include "model/explore.h"
#include "net/pnml_reader.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto states = nestor::net::read_pnml(nestor::base::Input::from_text("fuzz.pnml", text));
    nestor::model::ExploreOptions options;
    options.limits.states = 100;
    nestor::model::explore(states, states->propositions(), options);
  } catch (const nestor::base::Error&) {
  } catch (const nestor::base::LimitReached&) {
  }
  return 0;
}
