#pragma once

#include "base/bit_set.h"
#include "base/limits.h"
#include "engine/labelling/graph.h"
#include "model/fairness.h"

namespace nestor::labelling {

// CTL with quantifiers over fair paths, after
//   [EL86] E. A. Emerson, C.-L. Lei: Efficient model checking in fragments of the propositional
//          mu-calculus. LICS 1986.
//
//   paper                                            here
//   EG_fair f = νZ. f ∧ ⋀ᵢ EX E[f U (Z ∧ Fᵢ)]        FairGraph::eg
//   fair = EG_fair true                              FairGraph::fair
//   EX_fair f = EX (f ∧ fair)                        LabellingEngine
//   E_fair[f U g] = E[f U (g ∧ fair)]                LabellingEngine
//
// Deviation: a constraint is a set of transitions, since NuSMV's may speak of inputs. `Z ∧ Fᵢ` one
// step later becomes `a transition of Fᵢ leads to Z`, which is a step itself; a constraint on
// states is the set of transitions that leave them.

class FairGraph {
 public:
  FairGraph(const Graph& graph, const Fairness& fairness, LimitGuard& guard);

  /// States from which a fair path leads.
  const BitSet& fair() const { return fair_; }
  /// States from which a fair path leads on which `f` holds everywhere.
  BitSet eg(const BitSet& f) const;

 private:
  BitSet steps_into(const BitSet& f, const BitSet& z, std::uint32_t mark) const;
  void until(const BitSet& f, BitSet& goal) const;

  const Graph& graph_;
  const Fairness& fairness_;
  LimitGuard& guard_;
  BitSet fair_;
};

}  // namespace nestor::labelling
