#pragma once

#include "base/bit_set.h"
#include "base/limits.h"
#include "engine/labelling/graph.h"
#include "model/fairness.h"

namespace nestor::engine::labelling {

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
  FairGraph(const Graph& graph, const model::Fairness& fairness, base::LimitGuard& guard);

  /// States from which a fair path leads.
  const base::BitSet& fair() const { return fair_; }
  /// States from which a fair path leads on which `f` holds everywhere.
  base::BitSet eg(const base::BitSet& f) const;

 private:
  base::BitSet steps_into(const base::BitSet& f, const base::BitSet& z, std::uint32_t mark) const;
  void until(const base::BitSet& f, base::BitSet& goal) const;

  const Graph& graph_;
  const model::Fairness& fairness_;
  base::LimitGuard& guard_;
  base::BitSet fair_;
};

}  // namespace nestor::engine::labelling
