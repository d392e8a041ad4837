#include "engine/ctl_star/on_the_fly.h"

#include "automata/automaton.h"
#include "engine/ctl_star/accepting_search.h"
#include "engine/ctl_star/state_product.h"
#include "logic/path_formula.h"

#include <map>
#include <memory>

namespace nestor::engine::ctl_star {

namespace {

using logic::FormulaId;
using logic::Op;

/// One automaton and the states that have been looked at together with it.
class PathSearch {
 public:
  PathSearch(model::StateSpace& space, logic::FormulaPool& pool,
             const logic::Quantified& quantified, base::LimitGuard& guard,
             const ShallowSearch& shallow)
      : space_(space),
        pool_(pool),
        guard_(guard),
        shallow_(shallow),
        automaton_(automata::make_automaton(pool, quantified.path, quantified.universal, guard)),
        product_(space, pool, automaton_, guard),
        search_(product_, guard) {}

  bool exists(model::NodeId n) {
    StateProduct near(space_, pool_, automaton_, guard_);
    BasicAcceptingSearch<StateProduct> shallow(near, guard_);
    shallow.set_bounds({shallow_.depth, shallow_.vertices});
    if (shallow.reaches(near.vertex(n, automata::Automaton::kInitial))) {
      return true;
    }
    return shallow.was_cut() && search_.reaches(product_.vertex(n, automata::Automaton::kInitial));
  }

 private:
  model::StateSpace& space_;
  const logic::FormulaPool& pool_;
  base::LimitGuard& guard_;
  const ShallowSearch& shallow_;
  automata::Automaton automaton_;
  StateProduct product_;
  BasicAcceptingSearch<StateProduct> search_;
};

class InitialStates {
 public:
  InitialStates(model::StateSpace& space, logic::FormulaPool& pool, base::LimitGuard& guard,
                const ShallowSearch& shallow)
      : space_(space), pool_(pool), guard_(guard), shallow_(shallow) {}

  bool value(FormulaId root, model::NodeId n) {
    std::map<FormulaId, bool> values;
    std::vector<FormulaId> open{root};
    while (!open.empty()) {
      const FormulaId f = open.back();
      const logic::Formula formula = pool_[f];
      if (logic::is_quantified(formula.op)) {
        const logic::Quantified quantified = logic::quantified_path(pool_, f);
        values[f] = path(f, quantified).exists(n) != quantified.universal;
      } else if (pool_.is_propositional(f)) {
        values[f] = StateLetters(space_, pool_, {f}).letter(n) != 0;
      } else if (!values.contains(formula.left)) {
        open.push_back(formula.left);
        continue;
      } else if (logic::operand_count(formula.op) == 2 && !values.contains(formula.right)) {
        open.push_back(formula.right);
        continue;
      } else {
        const bool left = values[formula.left];
        const bool right = formula.op == Op::Not ? left : values[formula.right];
        values[f] = formula.op == Op::Not       ? !left
                    : formula.op == Op::And     ? left && right
                    : formula.op == Op::Or      ? left || right
                    : formula.op == Op::Implies ? !left || right
                                                : (left == right) == (formula.op == Op::Iff);
      }
      open.pop_back();
    }
    return values[root];
  }

  /// Whether the state counts: a fair path leads from it, if there are constraints.
  bool counts(model::NodeId n) {
    if (space_.model().mark_count() == 0) {
      return true;
    }
    const FormulaId goes_on = pool_.unary(Op::X, pool_.constant(true));
    return path(goes_on, {goes_on, false}).exists(n);
  }

 private:
  PathSearch& path(FormulaId key, const logic::Quantified& quantified) {
    std::unique_ptr<PathSearch>& search = searches_[key];
    if (search == nullptr) {
      search = std::make_unique<PathSearch>(space_, pool_, quantified, guard_, shallow_);
    }
    return *search;
  }

  model::StateSpace& space_;
  logic::FormulaPool& pool_;
  base::LimitGuard& guard_;
  const ShallowSearch& shallow_;
  std::map<FormulaId, std::unique_ptr<PathSearch>> searches_;
};

}  // namespace

bool holds_on_the_fly(model::StateSpace& space, logic::FormulaPool& pool, FormulaId formula,
                      base::LimitGuard& guard, const ShallowSearch& shallow) {
  InitialStates states(space, pool, guard, shallow);
  for (const model::NodeId n : space.initial(guard)) {
    if (!states.value(formula, n) && states.counts(n)) {
      return false;
    }
  }
  return true;
}

}  // namespace nestor::engine::ctl_star
