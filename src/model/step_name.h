#pragma once

#include <string>
#include <vector>

namespace nestor::model {

/// What happens in a step: the transition of a net that fires, with the values of its variables.
struct StepName {
  struct Value {
    std::string variable;
    std::string value;
  };
  std::string transition;
  std::vector<Value> binding = {};
};
/// `try(i=1, whose=NOBODY)`
std::string to_text(const StepName& step);

}  // namespace nestor::model
