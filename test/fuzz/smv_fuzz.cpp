// Bytes as a file of NuSMV's language. They are refused with an Error or read; then a few states
// are explored. A recursive model that can be written is written, read and written again, and the
// two texts must be the same.

#include "base/input.h"
#include "model/explore.h"
#include "smv/reader.h"
#include "smv/writer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

constexpr std::uint64_t kMostStates = 200;
constexpr std::uint64_t kMostSteps = 1'000'000;

nestor::logic::ReadModel read(const std::string& name, std::string_view text,
                              nestor::logic::FormulaPool& pool) {
  nestor::logic::ReadOptions options;
  options.limits.states = kMostStates;
  options.limits.steps = kMostSteps;
  options.properties = &pool;
  return nestor::smv::read_smv(nestor::base::Input::from_text(name, text), options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string once;
  nestor::logic::FormulaPool pool;
  try {
    const nestor::logic::ReadModel model =
        read("fuzz.smv", std::string_view(reinterpret_cast<const char*>(data), size), pool);
    if (model.states() != nullptr) {
      nestor::model::ExploreOptions options;
      options.limits.states = kMostStates;
      options.limits.steps = kMostSteps;
      nestor::model::explore(model.states(), model.states()->propositions(), options);
    } else if (!model.machines().empty()) {
      once = nestor::smv::write_smv(model.machines().front());
    }
  } catch (const nestor::base::Error&) {
    return 0;
  } catch (const nestor::base::LimitReached&) {
    return 0;
  }
  if (!once.empty()) {
    const nestor::logic::ReadModel again = read("again.smv", once, pool);
    // Without calls it is a finite model now, whose states are yet to be explored.
    if (!again.machines().empty() && nestor::smv::write_smv(again.machines().front()) != once) {
      std::abort();
    }
  }
  return 0;
}
