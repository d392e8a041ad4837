#include "base/json_document.h"
#include "driver/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nestor/check.h>
#include <nestor/version.h>
#include <ostream>

namespace nestor::driver {

int run_engines(const Options& options, const Streams& streams) {
  const std::vector<Engine> all = engines();
  std::string out;
  if (options.json) {
    base::JsonWriter json(out);
    base::begin_document(json, "engines", version()).begin_array("engines");
    for (const Engine& engine : all) {
      json.line().begin_object().member("id", engine.id);
      json.member("description", engine.description).member("source", engine.source);
      json.member("default", engine.is_default).end_object();
    }
    json.end_array().end_object();
    out += '\n';
  } else {
    // The id is the first word of its line: the completion script relies on it.
    std::size_t width = 0;
    for (const Engine& engine : all) {
      width = std::max(width, engine.id.size());
    }
    for (const Engine& engine : all) {
      fmt::format_to(std::back_inserter(out), "{:<{}}  {} [{}]{}\n", engine.id, width,
                     engine.description, engine.source, engine.is_default ? " (default)" : "");
    }
  }
  streams.out << out;
  return kAllHold;
}

}  // namespace nestor::driver
