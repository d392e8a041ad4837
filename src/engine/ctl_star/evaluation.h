#pragma once

#include "automata/automaton.h"
#include "base/bit_set.h"
#include "engine/ctl_star/product.h"
#include "explain/labelling.h"

#include <map>
#include <span>
#include <vector>

namespace nestor::engine::ctl_star {

class AcceptingSearch;

/// The formula `E path` or its negation that a quantified formula is.
struct Quantified {
  logic::FormulaId path;
  bool universal = false;  ///< A path, which is !E !path
};
/// Of a formula whose operator is a quantifier, alone or joined to a path operator.
Quantified quantified_path(logic::FormulaPool& pool, logic::FormulaId formula);
bool is_quantified(logic::Op op);

/// Values of state formulas of CTL* in the states of a machine (docs/ltl.md): first in all states
/// those that stand within other quantifiers, each one splitting the instances of the machine by
/// what its continuations after their return are; then the formula's own.
class Evaluation {
 public:
  Evaluation(const model::Rsm& model, logic::FormulaPool& pool, const model::Fairness* fairness,
             base::LimitGuard& guard);

  /// In every initial state that counts: with fairness, from which a fair path leads.
  bool holds(logic::FormulaId formula);
  std::uint64_t instance_count() const { return instances_.instances.size(); }

  const explain::Labelling& instances() const { return instances_; }
  Letters letters(const automata::Automaton& automaton) const;
  automata::Automaton automaton_of(const Quantified& quantified);
  /// Labels all states with the formulas that stand within quantifiers of `formula`.
  void label_inner(logic::FormulaId formula);

 private:
  void split(logic::FormulaId formula, bool universal, const Product& product,
             const AcceptingSearch& search);
  base::BitSet propositional(logic::FormulaId formula) const;
  std::vector<logic::FormulaId> outermost(logic::FormulaId formula) const;
  base::BitSet initial_with_path(const Quantified& quantified);

  const model::Rsm& model_;
  logic::FormulaPool& pool_;
  const model::Fairness* fairness_;
  base::LimitGuard& guard_;
  explain::Labelling instances_;
  std::map<logic::FormulaId, base::BitSet> values_;  // by plain row: of quantified ones
};

}  // namespace nestor::engine::ctl_star
