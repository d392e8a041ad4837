#pragma once

#include "base/limits.h"
#include "explain/obligation.h"
#include "logic/formula.h"
#include "logic/simplifier.h"
#include "model/rsm.h"
#include "model/state.h"
#include "witness/witness.h"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nestor::session {

/// Finds evidence for a verdict about a model whose questions can be made smaller, without the
/// whole model: paths are those that decide the smaller questions, led back to the model as it is
/// given. A question about a state in the middle of a path is one about the model started there.
class EvidenceOnTheFly {
 public:
  /// `simplifier` must have a way back. `pool` grows by normal forms.
  EvidenceOnTheFly(const logic::Simplifier& simplifier, logic::FormulaPool& pool,
                   const base::Limits& limits);

  struct Shown {
    std::shared_ptr<const model::Rsm> machine;  ///< an excerpt, which the witness is of
    witness::Witness witness;
  };
  /// Once. Throws LimitReached, also if no path shows the verdict. Not replayed.
  Shown show(logic::FormulaId formula, bool holds);

 private:
  struct Path {
    std::vector<logic::GivenState> states;
    witness::Evidence::Ending ending = witness::Evidence::Ending::Here;
    std::size_t loop = 0;
  };

  base::Limits limits_left() const;
  model::StateId intern(const logic::GivenState& state);
  witness::EvidenceId demand(witness::Claim claim, model::StateId state);
  std::optional<bool> constant(logic::FormulaId formula);
  bool is_true(witness::Claim claim, model::StateId state);
  bool are_true(const std::vector<witness::Claim>& claims, model::StateId state);
  void fill(witness::EvidenceId id);
  void fill_parts(witness::Evidence& evidence, const explain::Obligation& needed);
  void fill_path(witness::Evidence& evidence, const explain::Obligation& needed);
  /// A path that shows the claim; nothing if the verdict does not come from one.
  std::optional<Path> find_path(witness::Claim claim, model::StateId at, bool plainly);
  Shown take(logic::FormulaId formula, bool holds);

  const logic::Simplifier& simplifier_;
  logic::FormulaPool& pool_;
  base::Limits limits_;
  std::chrono::steady_clock::time_point start_;
  witness::Witness witness_;
  std::map<logic::GivenState, model::StateId> numbers_;
  std::vector<logic::GivenState> states_;
  std::map<std::pair<std::uint64_t, model::StateId>, witness::EvidenceId> demanded_;
  std::string how_;  // the last verdict that no path shows came about
};

}  // namespace nestor::session
