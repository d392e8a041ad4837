#pragma once

#include "base/compressed_rows.h"
#include "base/id.h"
#include "logic/formula.h"

#include <vector>

namespace nestor::strategies {

/// A subformula of the formula that is checked: its place in [Subf(Φ)], operands first.
using SubId = Id<struct SubformulaTag>;
/// A place in Subf∃(Φ), the existential subformulas, in the same order.
using ExistentialId = Id<struct ExistentialTag>;

struct Subformula {
  Op op = Op::True;
  SubId left;
  SubId right;
  ExistentialId existential;  ///< not valid for True, Atom, Not and Or
  FormulaId formula;
};

/// Subf(Φ) with dense ids, so that interpretations and contexts are flat arrays.
class SubformulaTable {
 public:
  SubformulaTable(const FormulaPool& pool, FormulaId formula);

  const Subformula& operator[](SubId f) const { return subformulas_[f]; }
  std::size_t size() const { return subformulas_.size(); }
  IdRange<SubId> ids() const { return subformulas_.ids(); }
  SubId root() const { return SubId(size() - 1); }
  /// Subf∃(Φ), ascending.
  const std::vector<SubId>& existential() const { return existential_.items(); }
  /// The subformulas that have `f` as an operand, ascending.
  std::span<const SubId> parents(SubId f) const { return parents_[f]; }
  const FormulaPool& pool() const { return pool_; }

 private:
  const FormulaPool& pool_;
  IdVector<SubId, Subformula> subformulas_;
  IdVector<ExistentialId, SubId> existential_;
  CompressedRows<SubId, SubId> parents_;
};

}  // namespace nestor::strategies
