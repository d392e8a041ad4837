#include "driver/load.h"

#include "base/input.h"
#include "base/sha256.h"

#include <chrono>
#include <utility>

namespace nestor {

namespace {

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

DeadEnds dead_ends_named(std::string_view name) {
  if (name == "loop") {
    return DeadEnds::Loop;
  }
  return name == "error" ? DeadEnds::Error : DeadEnds::Keep;
}

}  // namespace

Stopwatch::Stopwatch() : start_(now()) {}

double Stopwatch::seconds() const {
  return static_cast<double>(now() - start_) * 1e-9;
}

LoadedModel load_model(const Options& options, FormulaPool* properties_to,
                       Fingerprint fingerprint) {
  const Stopwatch watch;
  LoadedModel loaded;
  loaded.format = &find_format(options.from, options.model);
  const Input input = Input::read(options.model);
  loaded.model = loaded.format->read(input, dead_ends_named(options.dead_ends));
  if (properties_to != nullptr && loaded.format->read_properties != nullptr) {
    loaded.properties = loaded.format->read_properties(input, *properties_to);
  }
  if (fingerprint == Fingerprint::Take) {
    const FormatInfo& rsm = find_format("rsm", "");
    const bool as_it_stands = loaded.format == &rsm && options.dead_ends != "loop";
    loaded.sha256 = sha256_hex(as_it_stands ? input.text() : rsm.write(loaded.model));
  }
  loaded.name = input.name();
  loaded.input_bytes = input.size();
  loaded.seconds = watch.seconds();
  return loaded;
}

}  // namespace nestor
