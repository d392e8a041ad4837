#pragma once

#include "model/successor_function.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace nestor::model {

/// Of a SuccessorFunction whose propositions may also speak of steps, of the inputs that are chosen
/// for one, say.
class StepPropositions {
 public:
  /// True if the atom makes sense, but of steps.
  virtual bool is_of_steps(std::string_view atom) = 0;
  /// The same model, where a state also says which of `atoms`, all of steps, are true of the step
  /// that is made from it. Its paths are those of this model, each step with what is true of it; so
  /// it is for formulas about all paths.
  virtual std::shared_ptr<SuccessorFunction> with_steps(std::span<const std::string> atoms) = 0;

 protected:
  ~StepPropositions() = default;
};

}  // namespace nestor::model
