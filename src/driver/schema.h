#pragma once

#include "base/json_writer.h"

#include <nestor/version.h>
#include <string>

namespace nestor::driver {

/// Of all JSON that the program prints (docs/stability.md): members may be added, then the second
/// number grows; the first one grows if something is taken away or means something else.
constexpr std::string_view kSchemaVersion = "1.0";

/// Begins the object that a command prints, with what it is: share/nestor/schema/NAME.schema.json
/// describes it.
inline base::JsonWriter& begin_document(base::JsonWriter& json, std::string_view name) {
  json.begin_object().member("schema", "nestor/" + std::string(name));
  return json.member("schema_version", kSchemaVersion).member("nestor", version());
}

}  // namespace nestor::driver
