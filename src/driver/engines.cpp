#include "base/json_writer.h"
#include "driver/commands.h"
#include "engine/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>

namespace nestor::driver {

int run_engines(const Options& options, const Streams& streams) {
  const std::span<const engine::EngineInfo> engines = engine::engine_registry();
  std::string out;
  if (options.json) {
    base::JsonWriter json(out);
    json.begin_object().begin_array("engines");
    for (const engine::EngineInfo& engine : engines) {
      json.line().begin_object().member("id", engine.id);
      json.member("description", engine.description).member("source", engine.source);
      json.member("default", engine.id == engine::default_engine().id).end_object();
    }
    json.end_array().end_object();
    out += '\n';
  } else {
    // The id is the first word of its line: the completion script relies on it.
    std::size_t width = 0;
    for (const engine::EngineInfo& engine : engines) {
      width = std::max(width, engine.id.size());
    }
    for (const engine::EngineInfo& engine : engines) {
      fmt::format_to(std::back_inserter(out), "{:<{}}  {} [{}]{}\n", engine.id, width,
                     engine.description, engine.source,
                     engine.id == engine::default_engine().id ? " (default)" : "");
    }
  }
  streams.out << out;
  return kAllHold;
}

}  // namespace nestor::driver
