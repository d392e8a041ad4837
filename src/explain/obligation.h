#pragma once

#include "witness/witness.h"

#include <vector>

namespace nestor::explain {

/// What has to be shown for a claim, by the definitions of docs/semantics.md.
struct Obligation {
  enum class Kind : std::uint8_t {
    Fact,           ///< look at the labels
    Parts,          ///< all claims of one of `alternatives`
    Next,           ///< `end` after one step
    Until,          ///< a path with `along` to a state with `end`
    Always,         ///< a maximal path with `along`
    UntilOrAlways,  ///< either
    All,            ///< no path can show it
  };

  Kind kind = Kind::Fact;
  std::vector<std::vector<witness::Claim>> alternatives;
  witness::Claim along;
  std::vector<witness::Claim> end;
};

/// `is_propositional`: the formula has no temporal operator.
Obligation obligation(const logic::FormulaPool& pool, witness::Claim claim, bool is_propositional);

/// True for EX, EF, AG and the other operators about paths.
bool is_temporal(logic::Op op);

}  // namespace nestor::explain
