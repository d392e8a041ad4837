#include "check/certificate_head.h"

#include "base/simdjson.h"

namespace nestor::check {

std::vector<std::string> certificate_propositions(base::LineReader& lines) {
  std::vector<std::string> found;
  simdjson::dom::parser json;
  for (std::string_view line; lines.next(line) && line.substr(0, 8) != "verdict ";) {
    const std::size_t name = line.find(" ap ");
    if (line.substr(0, 8) != "formula " || name == std::string_view::npos) {
      continue;
    }
    const simdjson::padded_string text(line.substr(name + 4, line.rfind('"') + 1 - (name + 4)));
    std::string_view value;
    if (json.parse(text).get(value) == simdjson::SUCCESS) {
      found.emplace_back(value);
    }
  }
  return found;
}

}  // namespace nestor::check
