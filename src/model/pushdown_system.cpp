#include "model/pushdown_system.h"

#include <algorithm>

namespace nestor::model {

std::vector<std::string> propositions_of(const PushdownSystem& system) {
  std::vector<base::StringId> ids;
  const auto collect = [&ids](const auto& labels) {
    for (const auto& label : labels) {
      ids.push_back(label.proposition);
    }
  };
  collect(system.control_labels());
  collect(system.symbol_labels());
  collect(system.head_labels());
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::vector<std::string> names;
  names.reserve(ids.size());
  for (const base::StringId id : ids) {
    names.emplace_back(system.string(id));
  }
  return names;
}

}  // namespace nestor::model
