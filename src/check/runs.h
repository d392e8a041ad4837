#pragma once

#include "check/fair_values.h"
#include "witness/witness.h"

#include <optional>
#include <string>

namespace nestor::check {

/// Unwinds to replay(): the witness is wrong.
struct Fault {
  std::string what;
};

/// `evidence 3, step 7`
std::string place_in(witness::EvidenceId e, std::size_t place);
[[noreturn]] void reject(witness::EvidenceId e, const std::string& what);
[[noreturn]] void reject_at(witness::EvidenceId e, std::size_t place, const std::string& what);

/// The paths of a witness as runs of the model: each step is one, and where a run is claimed it
/// ends in a dead end or goes around a loop for ever. Throws Fault.
class Runs {
 public:
  /// With `fair`, runs that end do not count, and loops must be fair. All are kept by reference.
  Runs(const model::Rsm& model, const witness::Witness& witness,
       const std::optional<FairValues>& fair)
      : model_(model), witness_(witness), fair_(fair) {}

  void check_steps(witness::EvidenceId e) const;
  /// It ends in a dead end, or goes on for ever.
  void check_maximal(witness::EvidenceId e) const;

 private:
  const model::State& state(model::StateId s) const;
  bool extends(model::StackId stack, model::StackId base) const;
  void check_loop(witness::EvidenceId e) const;
  void check_fair_loop(witness::EvidenceId e) const;

  const model::Rsm& model_;
  const witness::Witness& witness_;
  const std::optional<FairValues>& fair_;
};

}  // namespace nestor::check
