#pragma once

#include "base/compressed_rows.h"
#include "base/id.h"
#include "logic/formula.h"

#include <vector>

namespace nestor::engine::strategies {

/// A subformula of the formula that is checked: its place in [Subf(Φ)], operands first.
using SubId = base::Id<struct SubformulaTag>;
/// A place in Subf∃(Φ), the existential subformulas, in the same order.
using ExistentialId = base::Id<struct ExistentialTag>;

struct Subformula {
  logic::Op op = logic::Op::True;
  SubId left;
  SubId right;
  ExistentialId existential;  ///< not valid for True, Atom, Not and Or
  logic::FormulaId formula;
};

/// Subf(Φ) with dense ids, so that interpretations and contexts are flat arrays.
class SubformulaTable {
 public:
  SubformulaTable(const logic::FormulaPool& pool, logic::FormulaId formula);

  const Subformula& operator[](SubId f) const { return subformulas_[f]; }
  std::size_t size() const { return subformulas_.size(); }
  base::IdRange<SubId> ids() const { return subformulas_.ids(); }
  SubId root() const { return SubId(size() - 1); }
  /// Subf∃(Φ), ascending.
  const std::vector<SubId>& existential() const { return existential_.items(); }
  /// The subformulas that have `f` as an operand, ascending.
  std::span<const SubId> parents(SubId f) const { return parents_[f]; }
  const logic::FormulaPool& pool() const { return pool_; }

 private:
  const logic::FormulaPool& pool_;
  base::IdVector<SubId, Subformula> subformulas_;
  base::IdVector<ExistentialId, SubId> existential_;
  base::CompressedRows<SubId, SubId> parents_;
};

}  // namespace nestor::engine::strategies
