#include "model/successor_function.h"

#include <algorithm>
#include <cassert>

namespace nestor {

void SuccessorFunction::widen(StateView before, StateBuffer now) const {
  assert(before.size() == now.size());
  std::ranges::copy(before, now.begin());
}

bool SuccessorFunction::strictly_covers(StateView /*above*/, StateView /*below*/) const {
  return false;
}

}  // namespace nestor
