#pragma once

#include "logic/formula.h"
#include "model/rsm.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nestor::check {

/// What somebody else says about one formula.
struct Decision {
  enum class Answer : std::uint8_t { Holds, Fails, Unknown };
  Answer answer = Answer::Unknown;
  std::string reason;  ///< of Unknown
};

/// Whoever decides claims that no path can show. It must not be who made the witness.
class Decider {
 public:
  virtual ~Decider() = default;
  /// One decision a formula.
  virtual std::vector<Decision> decide(const model::Rsm& model, logic::FormulaPool& pool,
                                       std::span<const logic::FormulaId> formulas) = 0;
  /// For a model without boxes that is an excerpt of a larger one: about the larger one, in a state
  /// of the excerpt. Nothing if `model` is all there is: then decide() is asked.
  virtual std::optional<Decision> decide_at(const model::Rsm& /*model*/,
                                            logic::FormulaPool& /*pool*/,
                                            logic::FormulaId /*formula*/, model::NodeId /*node*/) {
    return std::nullopt;
  }
};

}  // namespace nestor::check
