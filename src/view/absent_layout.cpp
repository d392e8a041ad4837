#include "view/layout.h"

namespace nestor::view {

bool can_lay_out() {
  return false;
}

std::optional<Layout> lay_out(const LayoutGraph& /*graph*/) {
  return std::nullopt;
}

}  // namespace nestor::view
