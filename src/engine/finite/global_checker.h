#pragma once

#include "base/bit_set.h"
#include "base/limits.h"
#include "engine/finite/finite_graph.h"
#include "engine/finite/subformula_sequence.h"

#include <algorithm>
#include <vector>

namespace nestor::engine::finite {

/// The general structure of the global algorithms, after
///   [Hel97] section 3.2.1: every subformula in increasing order, in all states.
/// They differ in how they check A(φ U ψ) and E(φ U ψ).
///
///   report                        here
///   labeled(s, f)                 labeled(i).test(s)
///   atomic, negation, conjunction process()
///   ax, au, eu                    process_ex(), au(), eu()
///
/// Deviations: ∨ and EX instead of ∧ and AX (subformula_sequence.h). A state may have no
/// successor; then EX is false there, and A(φ U ψ) where ψ does not hold (docs/semantics.md).
class GlobalChecker {
 public:
  GlobalChecker(const FiniteGraph& graph, const logic::FormulaPool& pool,
                const SubformulaSequence& sub, base::LimitGuard& guard)
      : graph_(graph), pool_(pool), sub_(sub), guard_(guard), labeled_(sub.length()) {}
  virtual ~GlobalChecker() = default;

  /// Evaluates the subformulas before `end`.
  void evaluate(std::uint32_t end);
  /// The states that satisfy subformula `i`, which is evaluated.
  const base::BitSet& labeled(std::uint32_t i) const { return labeled_[i]; }
  /// What the values and the searches take now.
  std::size_t memory_bytes() const;
  /// The most entries that search stacks held at a time, in states.
  std::size_t peak_stack() const { return peak_stack_; }

 protected:
  /// Sets `result`, which is empty, to the states that satisfy the operator.
  virtual void au(const base::BitSet& left, const base::BitSet& right, base::BitSet& result) = 0;
  virtual void eu(const base::BitSet& left, const base::BitSet& right, base::BitSet& result) = 0;

  /// What searches take beside the values.
  virtual std::size_t search_bytes() const { return 0; }

  const FiniteGraph& graph() const { return graph_; }
  const SubformulaSequence& sub() const { return sub_; }
  base::LimitGuard& guard() { return guard_; }
  void note_stack(std::size_t entries) { peak_stack_ = std::max(peak_stack_, entries); }

 private:
  void process(std::uint32_t i);
  void process_ex(const base::BitSet& operand, base::BitSet& result);

  const FiniteGraph& graph_;
  const logic::FormulaPool& pool_;
  const SubformulaSequence& sub_;
  base::LimitGuard& guard_;
  std::vector<base::BitSet> labeled_;
  std::uint32_t done_ = 0;
  std::size_t peak_stack_ = 0;
};

}  // namespace nestor::engine::finite
