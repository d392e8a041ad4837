#pragma once

#include "base/json_writer.h"

#include <map>
#include <nestor/check.h>
#include <string>
#include <vector>

namespace nestor::driver {

/// procedure -> its nodes, in the order of a labelling's rows
using NodeNames = std::map<std::string, std::vector<std::string>>;
NodeNames names_of(Model model);

/// The members `instances` and `subformulas` of an object (share/nestor/schema/label.schema.json).
void write_values(base::JsonWriter& json, const Labelling& labelling, const NodeNames& names);

}  // namespace nestor::driver
