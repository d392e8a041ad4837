#pragma once

#include "logic/formula.h"

#include <cstdint>
#include <vector>

namespace nestor::engine::finite {

/// One entry of the sequence sub of [Hel97], section 3.1.
struct Subformula {
  enum class Type : std::uint8_t { True, Atom, Negation, Disjunction, EX, AU, EU };

  Type type = Type::True;
  std::uint32_t left = 0;   ///< `lef`: place in the sequence; smaller than its own
  std::uint32_t right = 0;  ///< likewise
  logic::FormulaId atom;    ///< of Atom

  friend auto operator<=>(const Subformula&, const Subformula&) = default;
};

/// The subformulas of a formula, as the user wrote it, each once, operands first. The report's
/// operators are ¬, ∧, AX, AU and EU; here they are ¬, ∨, EX, AU and EU, and the others are
/// rewritten to them.
class SubformulaSequence {
 public:
  SubformulaSequence(const logic::FormulaPool& pool, logic::FormulaId formula);

  const Subformula& operator[](std::uint32_t i) const { return items_[i]; }
  /// length(f) of the report.
  std::uint32_t length() const { return static_cast<std::uint32_t>(items_.size()); }
  /// The formula's place. Double negations vanish, so that need not be the last one.
  std::uint32_t top() const { return places_.back(); }
  /// The places of `subformulas(pool, formula)`, in that order.
  const std::vector<std::uint32_t>& places() const { return places_; }

 private:
  std::vector<Subformula> items_;
  std::vector<std::uint32_t> places_;
};

}  // namespace nestor::engine::finite
