#include "model/successor_function.h"

#include "base/error.h"

#include <algorithm>
#include <cassert>

namespace nestor::model {

std::optional<std::string> SuccessorFunction::describe_part(base::StateView /*state*/,
                                                            std::string_view /*part*/) const {
  return std::nullopt;
}

std::optional<StepName> SuccessorFunction::find_step(base::StateView /*from*/,
                                                     base::StateView /*to*/) const {
  return std::nullopt;
}

std::string SuccessorFunction::describe_change(base::StateView /*from*/,
                                               base::StateView /*to*/) const {
  return {};
}

std::size_t SuccessorFunction::wider_words() const {
  return state_words();
}

void SuccessorFunction::widen(base::StateView before, base::StateBuffer wider) const {
  assert(before.size() == wider.size());
  std::ranges::copy(before, wider.begin());
}

bool SuccessorFunction::prepare_form(std::size_t /*number*/, base::LimitGuard& /*guard*/) {
  return false;
}

void SuccessorFunction::write_portable(base::StateView state,
                                       std::vector<std::uint32_t>& portable) const {
  portable.insert(portable.end(), state.begin(), state.end());
}

bool SuccessorFunction::read_portable(std::span<const std::uint32_t> portable,
                                      base::StateBuffer state) {
  NESTOR_CHECK(portable.size() == state.size());
  std::ranges::copy(portable, state.begin());
  return true;
}

bool SuccessorFunction::strictly_covers(base::StateView /*above*/,
                                        base::StateView /*below*/) const {
  return false;
}

std::optional<SuccessorFunction::Key> SuccessorFunction::key(std::uint32_t /*proposition*/) const {
  return std::nullopt;
}

std::uint64_t SuccessorFunction::part(std::uint32_t /*part*/, base::StateView /*state*/) const {
  NESTOR_CHECK(false);  // key() named none
  return 0;
}

}  // namespace nestor::model
