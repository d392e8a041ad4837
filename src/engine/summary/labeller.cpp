// The labelling of one formula: the passes of the engine without what makes verdicts cheap. Every
// node of every component that a chain of boxes leads to counts as live, every exit stays in the
// contexts, every box has its callee, and the outermost operator gets contexts like any other.
//
// Levels: the components themselves, and for each existential subformula, operands first, the
// instances of the level before refined by its contexts. Its values are kept at its own level; an
// instance of a later level finds them through the instances that it refines.

#include "engine/summary/labeller.h"

#include "engine/summary/bits.h"
#include "engine/summary/contexts.h"
#include "engine/summary/solver.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>
#include <memory>

namespace nestor::summary {

namespace {

using Word = FewBits;
using Values = std::vector<Word>;  // by plain row of some level; one formula, so one bit

class Labeller {
 public:
  Labeller(const Rsm& model, const FormulaPool& pool, FormulaId formula, unsigned jobs,
           LimitGuard& guard)
      : model_(model),
        pool_(pool),
        jobs_(jobs),
        guard_(guard),
        flow_(model, guard, ControlFlow::Scope::Called),
        components_(model),
        subformulas_(subformulas(pool, formula)),
        one_(Word::first(1)),
        place_of_(formula.value() + 1) {
    for (std::uint32_t s = 0; s < subformulas_.size(); ++s) {
      place_of_[subformulas_[s].value()] = s;
    }
  }

  Labelling run() {
    make_components();
    for (std::uint32_t s = 0; s < subformulas_.size(); ++s) {
      if (is_existential(pool_[subformulas_[s]].op)) {
        refine(s);
      }
    }
    return finish();
  }

 private:
  /// An existential subformula that has been treated.
  struct Treated {
    std::uint32_t place = 0;  // in subformulas_
    std::unique_ptr<ContextLevel<Word>> level;
    Values values;                          // at its own level
    std::vector<std::uint32_t> refined_by;  // by instance of the newest level: the one here
  };

  void make_components() {
    instance_of_.assign(model_.component_count(), 0);
    const std::vector<ComponentId> called = called_components(model_);
    for (const ComponentId c : called) {
      instance_of_[c.value()] = components_.add(c, 0);
      components_[instance_of_[c.value()]].formulas = one_;
    }
    for (const ComponentId c : called) {
      for (const BoxId b : model_.component(c).boxes()) {
        components_.add_group(instance_of_[c.value()], b,
                              instance_of_[model_.box(b).callee.value()], one_);
      }
    }
    components_.add_root(instance_of_[model_.initial_component().value()], one_);
    components_.link();
  }

  Instances<Word>& newest() {
    return treated_.empty() ? components_ : treated_.back().level->instances;
  }

  /// Solves the existential subformula at place `s` on the newest level and refines that.
  void refine(std::uint32_t s) {
    const Formula& f = pool_[subformulas_[s]];
    Instances<Word>& at = newest();
    guard_.reserve(at.bytes_to_sort());
    at.sort(flow_);
    Solver<Word> solver(model_, flow_, at, 1, jobs_, guard_);
    Solution<Word> solution;
    if (f.op == Op::EX) {
      solution = solver.solve_EX(evaluate(f.left));
    } else if (f.op == Op::EG) {
      solution = solver.solve_EG(evaluate(f.left));
    } else if (pool_[f.left].op == Op::True) {
      solution = solver.solve_EU(nullptr, evaluate(f.right));
    } else {
      const Values phi = evaluate(f.left);
      solution = solver.solve_EU(&phi, evaluate(f.right));
    }
    std::vector<std::uint32_t> itself(at.size());
    for (std::uint32_t i = 0; i < itself.size(); ++i) {
      itself[i] = i;
    }
    Treated next;
    next.place = s;
    next.level = contextualize(model_, flow_, at, solution, at, itself, Exits::All, guard_);
    Instances<Word>& to = next.level->instances;
    guard_.reserve(to.bytes_to_link() + to.plain_row_count() * sizeof(Word));
    to.link();
    next.values.resize(to.plain_row_count());
    for (std::uint32_t i = 0; i < to.size(); ++i) {
      next.refined_by.push_back(i);
      for (const NodeId n : model_.component(to[i].component).plain_nodes()) {
        guard_.tick();
        next.values[to.plain_row(i, n)] =
            solution.under_context(flow_, at, to[i].parent, n, next.level->context(i));
      }
    }
    for (Treated& earlier : treated_) {
      std::vector<std::uint32_t> refined_by;
      for (std::uint32_t i = 0; i < to.size(); ++i) {
        refined_by.push_back(earlier.refined_by[to[i].parent]);
      }
      earlier.refined_by = std::move(refined_by);
    }
    treated_.push_back(std::move(next));
  }

  /// The values of a Boolean combination of propositions and treated subformulas, by plain row of
  /// the newest level.
  Values evaluate(FormulaId root) {
    std::vector<FormulaId> stack{root};
    std::vector<FormulaId> order;
    BitSet seen(root.value() + 1);
    while (!stack.empty()) {
      const FormulaId f = stack.back();
      stack.pop_back();
      if (!seen.insert(f.value())) {
        continue;
      }
      order.push_back(f);
      if (!is_existential(pool_[f].op)) {
        for_each_operand(f, [&](FormulaId operand) { stack.push_back(operand); });
      }
    }
    std::sort(order.begin(), order.end());
    std::vector<Values> values(subformulas_.size());
    for (const FormulaId f : order) {
      values[place_of_[f.value()]] = evaluate_one(f, values);
    }
    return std::move(values[place_of_[root.value()]]);
  }

  Values evaluate_one(FormulaId f, const std::vector<Values>& values) {
    const Instances<Word>& at = newest();
    guard_.reserve(at.plain_row_count() * sizeof(Word));
    Values result(at.plain_row_count());
    guard_.tick(result.size());
    const auto operand = [&](FormulaId g) -> const Values& { return values[place_of_[g.value()]]; };
    switch (pool_[f].op) {
      case Op::True:
        std::fill(result.begin(), result.end(), one_);
        break;
      case Op::Atom:
        for_each_labelled(f, at,
                          [&](std::uint32_t i, NodeId n) { result[at.plain_row(i, n)] = one_; });
        break;
      case Op::Not:
        std::transform(operand(pool_[f].left).begin(), operand(pool_[f].left).end(), result.begin(),
                       [this](const Word& a) { return without(one_, a); });
        break;
      case Op::Or:
        std::transform(operand(pool_[f].left).begin(), operand(pool_[f].left).end(),
                       operand(pool_[f].right).begin(), result.begin(),
                       [](const Word& a, const Word& b) { return a | b; });
        break;
      default: {
        const Treated& treated = treated_of(f);
        for (std::uint32_t i = 0; i < at.size(); ++i) {
          const auto [from, count] = rows_of(treated, i);
          std::copy_n(from, count, result.begin() + static_cast<std::ptrdiff_t>(at[i].first_plain));
        }
      }
    }
    return result;
  }

  template <class Visit>
  void for_each_operand(FormulaId f, Visit visit) const {
    const int operands = operand_count(pool_[f].op);
    if (operands >= 1) {
      visit(pool_[f].left);
    }
    if (operands == 2) {
      visit(pool_[f].right);
    }
  }

  /// Calls visit(i, n) for each instance i of each node n that carries the atom.
  template <class Visit>
  void for_each_labelled(FormulaId atom, const Instances<Word>& at, Visit visit) const {
    const PropId p = model_.find_prop(pool_.atom_name(atom));
    if (!p.valid()) {
      return;
    }
    CompressedRows<ComponentId, std::uint32_t> of_component(model_.component_count());
    for (std::uint32_t i = 0; i < at.size(); ++i) {
      of_component.count(at[i].component);
    }
    of_component.finish_counting();
    for (std::uint32_t i = 0; i < at.size(); ++i) {
      of_component.add(at[i].component, i);
    }
    for (const NodeId n : model_.nodes_with(p)) {
      for (const std::uint32_t i : of_component[model_.component_of(n)]) {
        visit(i, n);
      }
    }
  }

  const Treated& treated_of(FormulaId f) const {
    const auto found = std::lower_bound(
        treated_.begin(), treated_.end(), place_of_[f.value()],
        [](const Treated& treated, std::uint32_t place) { return treated.place < place; });
    assert(found != treated_.end() && subformulas_[found->place] == f);
    return *found;
  }

  struct Rows {
    Values::const_iterator first;
    std::size_t count = 0;
  };
  /// The values of a treated subformula in an instance of the newest level.
  Rows rows_of(const Treated& treated, std::uint32_t i) const {
    const auto& there = treated.level->instances[treated.refined_by[i]];
    return {treated.values.begin() + static_cast<std::ptrdiff_t>(there.first_plain),
            model_.component(there.component).plain_nodes().size()};
  }

  Labelling finish() {
    Labelling labelling;
    labelling.subformulas = subformulas_;
    const Instances<Word>& at = newest();
    assert(at.roots().size() == 1);
    // The root is the first instance of each level: the walk that makes it begins there.
    assert(at.roots().front().callee == Labelling::kRoot);
    for (std::uint32_t i = 0; i < at.size(); ++i) {
      labelling.add_instance(model_, at[i].component);
      for (const BoxId b : model_.component(at[i].component).boxes()) {
        assert(at.groups(i, b).size() == 1);
        labelling.callees[labelling.box_row(model_, i, b)] = at.groups(i, b).front().callee;
      }
    }
    for (const FormulaId f : subformulas_) {
      labelling.values.emplace_back(labelling.node_rows);
      labelling.contexts.emplace_back(is_existential(pool_[f].op) ? labelling.exit_rows : 0);
      fill(f, labelling);
    }
    return labelling;
  }

  /// Fills in the values and contexts of the subformula added last. Plain rows of the newest level
  /// and node rows of the labelling are the same.
  void fill(FormulaId f, Labelling& labelling) {
    BitSet& values = labelling.values.back();
    const auto operand = [&](FormulaId g) -> const BitSet& {
      return labelling.values[place_of_[g.value()]];
    };
    guard_.tick(values.size() / 64 + 1);
    switch (pool_[f].op) {
      case Op::True:
        values.set_all();
        break;
      case Op::Atom:
        for_each_labelled(f, newest(), [&](std::uint32_t i, NodeId n) {
          values.set(labelling.node_row(model_, i, n));
        });
        break;
      case Op::Not:
        values = operand(pool_[f].left);
        values.flip_all();
        break;
      case Op::Or:
        values = operand(pool_[f].left);
        values |= operand(pool_[f].right);
        break;
      default:
        fill_existential(treated_of(f), labelling);
    }
  }

  void fill_existential(const Treated& treated, Labelling& labelling) {
    for (std::uint32_t i = 0; i < labelling.instances.size(); ++i) {
      const auto [from, count] = rows_of(treated, i);
      guard_.tick(count);
      for (std::size_t r = 0; r < count; ++r) {
        if (from[static_cast<std::ptrdiff_t>(r)].any()) {
          labelling.values.back().set(labelling.instances[i].first_node + r);
        }
      }
      for_each_bit(treated.level->context(treated.refined_by[i]),
                   [&](std::size_t x) { labelling.contexts.back().set(labelling.exit_row(i, x)); });
    }
  }

  const Rsm& model_;
  const FormulaPool& pool_;
  unsigned jobs_;
  LimitGuard& guard_;
  const ControlFlow flow_;
  Instances<Word> components_;
  std::vector<std::uint32_t> instance_of_;  // by component, on the level of components
  const std::vector<FormulaId> subformulas_;
  const Word one_;
  std::vector<std::uint32_t> place_of_;  // by FormulaId, in subformulas_
  std::vector<Treated> treated_;
};

}  // namespace

Labelling label(const Rsm& model, const FormulaPool& pool, FormulaId formula, unsigned jobs,
                LimitGuard& guard) {
  return Labeller(model, pool, formula, jobs, guard).run();
}

}  // namespace nestor::summary
