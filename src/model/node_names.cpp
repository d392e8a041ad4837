#include "model/node_names.h"

namespace nestor::model {

std::string_view NodeNames::name(NodeId n) const {
  const std::lock_guard lock(mutex_);
  auto place = made_.find(n);
  if (place == made_.end()) {
    place = made_.emplace(n, make_name(n)).first;
  }
  return place->second;
}

}  // namespace nestor::model
