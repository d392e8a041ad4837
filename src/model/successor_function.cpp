#include "model/successor_function.h"

#include "base/error.h"

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

std::optional<SuccessorFunction::Key> SuccessorFunction::key(std::uint32_t /*proposition*/) const {
  return std::nullopt;
}

std::uint64_t SuccessorFunction::part(std::uint32_t /*part*/, StateView /*state*/) const {
  NESTOR_CHECK(false);  // key() named none
  return 0;
}

}  // namespace nestor
