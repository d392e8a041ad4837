#pragma once

#include "check/decider.h"
#include "model/fairness.h"
#include "witness/witness.h"

#include <cstdint>
#include <string>

namespace nestor::check {

/// What came of checking a witness.
struct Replay {
  enum class Outcome : std::uint8_t {
    Accepted,
    Rejected,
    Unknown,  ///< nothing is wrong, but a claim about all paths could not be decided
  };
  Outcome outcome = Outcome::Accepted;
  std::string reason;  ///< of the other outcomes: the evidence and the step at fault

  bool accepted() const { return outcome == Outcome::Accepted; }
};

/// Checks a witness for `formula` on the semantics of docs/semantics.md alone: that every state and
/// step exists, that labels are as they must be, that loops close, that each piece of evidence
/// shows its claim given the pieces it refers to, and that the roots show the verdict. Whatever the
/// witness contains, nothing is taken on trust; claims about all paths go to `decider`, which may
/// be absent: then they remain unknown.
///
/// Nothing here is shared with the extraction of witnesses but the type.
/// With fairness constraints, of a machine without boxes, only fair paths count: loops have to
/// satisfy each constraint, other paths to end where a fair one begins. Claims about all paths are
/// then decided here.
Replay replay(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
              const witness::Witness& witness, Decider* decider,
              const model::Fairness* fairness = nullptr);

}  // namespace nestor::check
