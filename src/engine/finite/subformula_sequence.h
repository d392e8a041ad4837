#pragma once

#include "logic/formula.h"

#include <cstdint>
#include <map>
#include <vector>

namespace nestor {

/// One entry of the sequence sub of [Hel97], section 3.1.
struct Subformula {
  enum class Type : std::uint8_t { True, Atom, Negation, Disjunction, EX, AU, EU };

  Type type = Type::True;
  std::uint32_t left = 0;   ///< `lef`: place in the sequence; smaller than its own
  std::uint32_t right = 0;  ///< likewise
  FormulaId atom;           ///< of Atom

  friend auto operator<=>(const Subformula&, const Subformula&) = default;
};

/// The subformulas of a formula in existential normal form, each once, operands first; the last one
/// is the formula. The report's operators are ¬, ∧, AX, AU and EU; here they are ¬, ∨, EX, AU and
/// EU: EG φ is read as ¬A(true U ¬φ), and what normal form makes of A(φ U ψ) is found and undone.
class SubformulaSequence {
 public:
  /// Whole: every subformula of the normal form has a place, also what double negations and the
  /// undoing leave without use.
  enum class Extent : std::uint8_t { Needed, Whole };
  SubformulaSequence(const FormulaPool& pool, FormulaId formula, Extent extent = Extent::Needed);

  const Subformula& operator[](std::uint32_t i) const { return items_[i]; }
  /// length(f) of the report.
  std::uint32_t length() const { return static_cast<std::uint32_t>(items_.size()); }
  std::uint32_t top() const { return top_; }

  /// The subformulas of the normal form that have a place.
  std::vector<FormulaId> formulas() const;
  std::uint32_t place_of(FormulaId f) const { return places_.at(f); }

 private:
  class Builder;

  std::vector<Subformula> items_;
  std::map<FormulaId, std::uint32_t> places_;
  std::uint32_t top_ = 0;
};

}  // namespace nestor
