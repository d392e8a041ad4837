#include "engine/summary/labeller.h"

#include "base/error.h"
#include "engine/summary/batch_checker.h"
#include "engine/summary/bits.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace nestor::engine::summary {

namespace {

/// A batch of one formula, its steps in the order of its subformulas.
Batch batch_of_one(const model::Rsm& model, const logic::FormulaPool& pool,
                   const std::vector<logic::FormulaId>& subformulas) {
  Shape shape;
  Batch batch;
  const auto step_of = [&](logic::FormulaId f) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(subformulas, f) -
                                      subformulas.begin());
  };
  for (const logic::FormulaId f : subformulas) {
    const logic::Formula& formula = pool[f];
    Step& step = shape.steps.emplace_back();
    step.op = formula.op;
    if (logic::operand_count(formula.op) >= 1) {
      step.left = step_of(formula.left);
    }
    if (logic::operand_count(formula.op) == 2) {
      step.right = step_of(formula.right);
    }
    if (formula.op == logic::Op::Atom) {
      step.slot = static_cast<std::uint32_t>(shape.slots++);
      batch.props.push_back({model.find_prop(pool.atom_name(f))});
    }
  }
  shape.roots = {static_cast<std::uint32_t>(shape.steps.size() - 1)};
  batch.shape = std::make_shared<const Shape>(std::move(shape));
  batch.width = 1;
  batch.members = {0};
  return batch;
}

}  // namespace

/// Each existential step refines the level before. Its values are kept at the level that it made;
/// in the end the instances of the last level find them through those that they refine.
template <class Word>
explain::Labelling BatchChecker<Word>::label() {
  assert(batch_.width == 1 && exits_ == Exits::All);
  begin(all_);
  std::vector<std::uint32_t> treated;
  std::vector<std::unique_ptr<Level>> levels;
  levels.push_back(std::make_unique<Level>(component_level()));
  for (std::uint32_t s = 0; s < steps_.size(); ++s) {
    if (logic::is_existential(steps_[s].op)) {
      std::unique_ptr<Level> refined = refine(s, *levels.back(), kNoLimit);
      std::erase_if(levels.back()->values,
                    [&](const auto& other) { return other.first != treated.back(); });
      treated.push_back(s);
      levels.push_back(std::move(refined));
    }
  }
  Instances<Word>& last = *levels.back()->instances;
  last.link();
  explain::Labelling labelling;
  // The root is the first instance of each level: the walk that makes it begins there.
  NESTOR_CHECK(last.roots().size() == 1 &&
               last.roots().front().callee == explain::Labelling::kRoot);
  for (std::uint32_t i = 0; i < last.size(); ++i) {
    labelling.add_instance(model_, last[i].component);
    for (const model::BoxId b : model_.component(last[i].component).boxes()) {
      NESTOR_CHECK(last.groups(i, b).size() == 1);  // (17) for one formula
      labelling.callees[labelling.box_row(model_, i, b)] = last.groups(i, b).front().callee;
    }
  }
  labelling.values.resize(steps_.size());
  labelling.contexts.resize(steps_.size());
  std::vector<std::uint32_t> ancestor(last.size());  // at the level being read
  std::iota(ancestor.begin(), ancestor.end(), 0);
  for (std::size_t k = treated.size(); k-- > 0;) {
    read_existential(treated[k], *levels[k + 1], ancestor, labelling);
    for (std::uint32_t& i : ancestor) {
      i = (*levels[k + 1]->instances)[i].parent;
    }
  }
  for (std::uint32_t s = 0; s < steps_.size(); ++s) {
    if (!logic::is_existential(steps_[s].op)) {
      read_boolean(s, last, labelling);
    }
  }
  return labelling;
}

/// Values and contexts of a step at the level that it made. Plain rows of the last level are the
/// rows of the labelling.
template <class Word>
void BatchChecker<Word>::read_existential(std::uint32_t step, const Level& level,
                                          const std::vector<std::uint32_t>& ancestor,
                                          explain::Labelling& labelling) {
  const std::vector<Word>& values = level.values.at(step);
  base::BitSet& to = labelling.values[step] = base::BitSet(labelling.node_rows);
  base::BitSet& contexts = labelling.contexts[step] = base::BitSet(labelling.exit_rows);
  for (std::uint32_t i = 0; i < ancestor.size(); ++i) {
    const auto& from = (*level.instances)[ancestor[i]];
    assert(from.component == labelling.instances[i].component);
    const std::size_t count = model_.component(from.component).plain_nodes().size();
    guard_.tick(count + 1);
    for (std::size_t r = 0; r < count; ++r) {
      if (values[from.first_plain + r].any()) {
        to.set(labelling.instances[i].first_node + r);
      }
    }
    for_each_bit(level.owned->context(ancestor[i]),
                 [&](std::size_t x) { contexts.set(labelling.exit_row(i, x)); });
  }
}

template <class Word>
void BatchChecker<Word>::read_boolean(std::uint32_t step, const Instances<Word>& at,
                                      explain::Labelling& labelling) {
  const Step& s = steps_[step];
  base::BitSet& to = labelling.values[step] = base::BitSet(labelling.node_rows);
  guard_.tick(to.size() / 64 + 1);
  switch (s.op) {
    case logic::Op::True:
      to.set_all();
      break;
    case logic::Op::Atom:
      for (std::uint32_t i = 0; i < at.size(); ++i) {
        const std::size_t count = model_.component(at[i].component).plain_nodes().size();
        const std::size_t from = components_[instance_of_[at[i].component.value()]].first_plain;
        guard_.tick(count / 8 + 1);
        for (std::size_t r = 0; r < count; ++r) {
          if (atoms_[s.slot][from + r].any()) {
            to.set(labelling.instances[i].first_node + r);
          }
        }
      }
      break;
    case logic::Op::Not:
      to = labelling.values[s.left];
      to.flip_all();
      break;
    default:
      assert(s.op == logic::Op::Or);
      to = labelling.values[s.left];
      to |= labelling.values[s.right];
  }
}

explain::Labelling label(const ControlFlow& flow, const logic::FormulaPool& pool,
                         logic::FormulaId formula, unsigned jobs, base::LimitGuard& guard) {
  const std::vector<logic::FormulaId> all = logic::subformulas(pool, formula);
  const Batch batch = batch_of_one(flow.model(), pool, all);
  explain::Labelling labelling =
      BatchChecker<FewBits>(flow.model(), flow, nullptr, batch, jobs, guard, Exits::All).label();
  labelling.subformulas = all;
  return labelling;
}

}  // namespace nestor::engine::summary
