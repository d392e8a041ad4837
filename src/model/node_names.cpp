#include "model/node_names.h"

namespace nestor {

std::string_view NodeNames::name(NodeId n) const {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = made_.try_emplace(n);
  if (is_new) {
    place->second = make_name(n);
  }
  return place->second;
}

}  // namespace nestor
