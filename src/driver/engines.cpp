#include "base/json.h"
#include "driver/commands.h"
#include "engine/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>

namespace nestor {

int run_engines(const Options& options, const Streams& streams) {
  const std::span<const EngineInfo> engines = engine_registry();
  std::string out;
  if (options.json) {
    out = "{\"engines\":[";
    for (const EngineInfo& engine : engines) {
      fmt::format_to(std::back_inserter(out),
                     "{}{{\"id\":{},\"description\":{},\"source\":{},\"default\":{}}}",
                     &engine == engines.data() ? "\n" : ",\n", json_string(engine.id),
                     json_string(engine.description), json_string(engine.source),
                     engine.id == default_engine().id);
    }
    out += "]}\n";
  } else {
    // The id is the first word of its line: the completion script relies on it.
    std::size_t width = 0;
    for (const EngineInfo& engine : engines) {
      width = std::max(width, engine.id.size());
    }
    for (const EngineInfo& engine : engines) {
      fmt::format_to(std::back_inserter(out), "{:<{}}  {} [{}]{}\n", engine.id, width,
                     engine.description, engine.source,
                     engine.id == default_engine().id ? " (default)" : "");
    }
  }
  streams.out << out;
  return kAllHold;
}

}  // namespace nestor
