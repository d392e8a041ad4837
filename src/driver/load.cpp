#include "driver/load.h"

#include "base/input.h"
#include "base/sha256.h"
#include "driver/bitcode.h"

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

const FormatInfo& bitcode_format() {
  static constexpr FormatInfo kBitcode{"llvm", ".bc",
                                       "C and C++ programs as LLVM bitcode (.bc) or assembly (.ll)",
                                       nullptr, nullptr};
  return kBitcode;
}

const FormatInfo& find_input_format(std::string_view id, std::string_view path) {
  const FormatInfo& bitcode = bitcode_format();
  const bool is_bitcode =
      id.empty() ? path.ends_with(bitcode.extension) || path.ends_with(".ll") : id == bitcode.id;
  return is_bitcode ? bitcode : find_format(id, path);
}

Externals load_externals(const Options& options) {
  Externals externals = builtin_externals();
  if (!options.externals.empty()) {
    read_externals(Input::read(options.externals), externals);
  }
  return externals;
}

LoadedModel load_model(const Options& options, FormulaPool* properties_to,
                       Fingerprint fingerprint) {
  const Stopwatch watch;
  LoadedModel loaded;
  loaded.format = &find_input_format(options.from, options.model);
  if (loaded.format == &bitcode_format()) {
    load_bitcode(options, loaded);
    if (fingerprint == Fingerprint::Take) {
      loaded.sha256 = sha256_hex(find_format("rsm", "").write(loaded.model));
    }
    loaded.seconds = watch.seconds();
    return loaded;
  }
  if (!options.link.empty()) {
    throw Error(Error::Kind::Usage, "--link is for LLVM bitcode only");
  }
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
