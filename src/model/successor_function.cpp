#include "model/successor_function.h"

#include "base/error.h"

#include <algorithm>
#include <cassert>

namespace nestor::model {

std::string to_text(const StepName& step) {
  std::string text = step.transition;
  for (std::size_t i = 0; i < step.binding.size(); ++i) {
    text += i == 0 ? "(" : ", ";
    text += step.binding[i].variable + '=' + step.binding[i].value;
  }
  return step.binding.empty() ? text : text + ')';
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
