#pragma once

#include "automata/automaton.h"
#include "base/bit_set.h"
#include "engine/ctl_star/accepting_search.h"
#include "engine/ctl_star/product.h"
#include "explain/labelling.h"
#include "logic/path_formula.h"
#include "witness/witness.h"

#include <map>
#include <optional>
#include <span>
#include <vector>

namespace nestor::engine::ctl_star {

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

  /// After holds(): the value in an initial state, of the formula or of an operand of it outside of
  /// quantifiers.
  bool value(logic::FormulaId formula, model::NodeId initial) const {
    return propositional(formula).test(initial_row(initial));
  }
  /// After holds(): the initial states that count.
  std::vector<model::NodeId> counted() const;
  /// After holds(): fills the path of evidence for a formula `E …` that is true in an initial
  /// state, or `A …` that is false; by that, what the quantified formulas inside of it are worth
  /// along it.
  struct Letter {
    logic::FormulaId formula;
    bool holds = false;
  };
  std::vector<std::vector<Letter>> find_path(logic::FormulaId formula, model::NodeId initial,
                                             model::StackTable& stacks, model::StateIndex& states,
                                             witness::Evidence& evidence);

  const explain::Labelling& instances() const { return instances_; }
  Letters letters(const automata::Automaton& automaton) const;
  automata::Automaton automaton_of(const logic::Quantified& quantified);
  /// Labels all states with the formulas that stand within quantifiers of `formula`.
  void label_inner(logic::FormulaId formula);

 private:
  void split(logic::FormulaId formula, bool universal, const Product& product,
             const AcceptingSearch& search);
  base::BitSet propositional(logic::FormulaId formula) const;
  std::vector<logic::FormulaId> outermost(logic::FormulaId formula) const;
  base::BitSet initial_with_path(const logic::Quantified& quantified);
  std::size_t initial_row(model::NodeId n) const {
    return instances_.node_row(model_, explain::Labelling::kRoot, n);
  }

  const model::Rsm& model_;
  logic::FormulaPool& pool_;
  const model::Fairness* fairness_;
  base::LimitGuard& guard_;
  explain::Labelling instances_;
  std::map<logic::FormulaId, base::BitSet> values_;  // by plain row: of quantified ones
  std::optional<base::BitSet> counted_;              // initial states with a fair path
};

}  // namespace nestor::engine::ctl_star
