#include "model/step_name.h"

namespace nestor::model {

std::string to_text(const StepName& step) {
  std::string text = step.transition;
  for (std::size_t i = 0; i < step.binding.size(); ++i) {
    text += i == 0 ? "(" : ", ";
    text += step.binding[i].variable + '=' + step.binding[i].value;
  }
  return step.binding.empty() ? text : text + ')';
}

}  // namespace nestor::model
