#pragma once

#include "base/json_writer.h"

#include <string>
#include <string_view>

namespace nestor::base {

/// Of all JSON that Nestor writes (docs/stability.md): members may be added, then the second number
/// grows; the first one grows if something is taken away or means something else.
constexpr std::string_view kSchemaVersion = "1.0";

/// Begins an object with what it is: share/nestor/schema/NAME.schema.json describes it.
inline JsonWriter& begin_document(JsonWriter& json, std::string_view name) {
  json.begin_object().member("schema", "nestor/" + std::string(name));
  return json.member("schema_version", kSchemaVersion);
}

/// Likewise, with the version of the program that writes it.
inline JsonWriter& begin_document(JsonWriter& json, std::string_view name,
                                  std::string_view version) {
  return begin_document(json, name).member("nestor", version);
}

}  // namespace nestor::base
