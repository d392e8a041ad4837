#pragma once

#include "base/bit_set.h"
#include "logic/formula.h"
#include "model/fairness.h"
#include "model/rsm.h"

#include <cstdint>
#include <map>

namespace nestor::check {

/// The values of formulas on a machine without boxes whose paths have fairness constraints, by the
/// definition: a fair path stays, in the end, in a strongly connected component, and goes again and
/// again through all of its transitions if it likes. So EG φ holds where a path through φ leads to
/// a component of φ-states with at least one transition inside, and one for each constraint.
///
/// (The engine that decides such models finds the same as a fixpoint.)
class FairValues {
 public:
  FairValues(const model::Rsm& model, logic::FormulaPool& pool, const model::Fairness& fairness);

  std::uint32_t constraints() const { return fairness_.constraints; }
  std::uint32_t all_marks() const;
  /// Of the transition; 0 if there is none.
  std::uint32_t marks(model::NodeId from, model::NodeId to) const;
  bool is_fair(model::NodeId n) const { return fair_.test(n.value()); }
  /// A formula as the user wrote it; what it is worth in a state that is not fair means nothing.
  bool holds(logic::FormulaId formula, model::NodeId n);

 private:
  const base::BitSet& values(logic::FormulaId normal);
  base::BitSet evaluate(const logic::Formula& formula, logic::FormulaId f);
  base::BitSet fair_forever(const base::BitSet& along) const;
  void extend_backwards(const base::BitSet& along, base::BitSet& goal) const;

  const model::Rsm& model_;
  logic::FormulaPool& pool_;
  const model::Fairness& fairness_;
  base::BitSet fair_;
  std::map<logic::FormulaId, base::BitSet> values_;  // of normal forms
};

}  // namespace nestor::check
