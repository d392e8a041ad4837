#include "engine/summary/labeller.h"

#include "base/error.h"
#include "engine/summary/batch_checker.h"
#include "engine/summary/bits.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::summary {

namespace {

/// One formula, its steps in the order of its subformulas.
struct Alone {
  std::vector<logic::FormulaId> subformulas;
  Shape shape;
  std::vector<model::PropId> props;  // by slot

  Alone(const model::Rsm& model, const logic::FormulaPool& pool, logic::FormulaId formula)
      : subformulas(logic::subformulas(pool, formula)) {
    const auto step_of = [&](logic::FormulaId f) {
      return static_cast<std::uint32_t>(std::ranges::lower_bound(subformulas, f) -
                                        subformulas.begin());
    };
    for (const logic::FormulaId f : subformulas) {
      const logic::Formula& found = pool[f];
      Step& step = shape.steps.emplace_back();
      step.op = found.op;
      if (logic::operand_count(found.op) >= 1) {
        step.left = step_of(found.left);
      }
      if (logic::operand_count(found.op) == 2) {
        step.right = step_of(found.right);
      }
      if (found.op == logic::Op::Atom) {
        step.slot = static_cast<std::uint32_t>(shape.slots++);
        props.push_back(model.find_prop(pool.atom_name(f)));
      }
    }
    shape.roots = {static_cast<std::uint32_t>(shape.steps.size() - 1)};
  }
};

}  // namespace

/// Each existential step refines the level before. Its values are kept at the level that it made;
/// in the end the instances of the last level find them through those that they refine.
template <class Word>
std::vector<explain::Labelling> BatchChecker<Word>::label() {
  assert(batch_.shape->roots.size() == 1 && exits_ == Exits::All);
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
  std::vector<explain::Labelling> labellings;
  for (std::size_t member = 0; member < batch_.width; ++member) {
    std::vector<std::uint32_t> ancestor;  // of the labelling's instances, at the level being read
    explain::Labelling labelling = instances_of(member, last, ancestor);
    labelling.values.resize(steps_.size());
    labelling.contexts.resize(steps_.size());
    for (std::size_t k = treated.size(); k-- > 0;) {
      read_existential(treated[k], *levels[k + 1], member, ancestor, labelling);
      for (std::uint32_t& i : ancestor) {
        i = (*levels[k + 1]->instances)[i].parent;
      }
    }
    for (std::uint32_t s = 0; s < steps_.size(); ++s) {
      if (!logic::is_existential(steps_[s].op)) {
        read_boolean(s, member, labelling);
      }
    }
    labellings.push_back(std::move(labelling));
  }
  return labellings;
}

/// The instances that one member of the batch reaches, and `from`, which of `last` they are. They
/// are those that it would have alone, since two of them differ in one of its own contexts; and in
/// an order of their own, so that what is shown of a formula does not depend on what is beside it.
template <class Word>
explain::Labelling BatchChecker<Word>::instances_of(std::size_t member, const Instances<Word>& last,
                                                    std::vector<std::uint32_t>& from) const {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  const auto is_of_member = [&](const auto& group) { return group.formulas.test(member); };
  const auto root = std::ranges::find_if(last.roots(), is_of_member);
  NESTOR_CHECK(root != last.roots().end());
  explain::Labelling labelling;
  std::vector<std::uint32_t> place(last.size(), kNone);
  const auto place_of = [&](std::uint32_t i) {
    if (place[i] == kNone) {
      place[i] = static_cast<std::uint32_t>(from.size());
      from.push_back(i);
      labelling.add_instance(model_, last[i].component);
    }
    return place[i];
  };
  NESTOR_CHECK(place_of(root->callee) == explain::Labelling::kRoot);
  for (std::uint32_t i = 0; i < from.size(); ++i) {  // breadth first
    for (const model::BoxId b : model_.component(last[from[i]].component).boxes()) {
      const auto groups = last.groups(from[i], b);
      const auto group = std::ranges::find_if(groups, is_of_member);  // (17): there is one
      NESTOR_CHECK(group != groups.end());
      NESTOR_DEBUG_ASSERT(std::ranges::count_if(groups, is_of_member) == 1);
      const std::uint32_t callee = place_of(group->callee);
      labelling.callees[labelling.box_row(model_, i, b)] = callee;
    }
  }
  return labelling;
}

/// Values and contexts of a step at the level that it made. Plain rows of the last level are the
/// rows of the labelling.
template <class Word>
void BatchChecker<Word>::read_existential(std::uint32_t step, const Level& level,
                                          std::size_t member,
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
      if (values[from.first_plain + r].test(member)) {
        to.set(labelling.instances[i].first_node + r);
      }
    }
    for_each_bit(level.owned->context(ancestor[i]),
                 [&](std::size_t x) { contexts.set(labelling.exit_row(i, x)); });
  }
}

template <class Word>
void BatchChecker<Word>::read_boolean(std::uint32_t step, std::size_t member,
                                      explain::Labelling& labelling) {
  const Step& s = steps_[step];
  base::BitSet& to = labelling.values[step] = base::BitSet(labelling.node_rows);
  guard_.tick(to.size() / 64 + 1);
  switch (s.op) {
    case logic::Op::True:
      to.set_all();
      break;
    case logic::Op::Atom:
      for (const explain::Labelling::Instance& instance : labelling.instances) {
        const std::size_t count = model_.component(instance.component).plain_nodes().size();
        const std::size_t from = components_[instance_of_[instance.component.value()]].first_plain;
        guard_.tick(count / 8 + 1);
        for (std::size_t r = 0; r < count; ++r) {
          if (atoms_[s.slot][from + r].test(member)) {
            to.set(instance.first_node + r);
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

std::vector<std::optional<explain::Labelling>> label(const ControlFlow& flow,
                                                     const logic::FormulaPool& pool,
                                                     std::span<const logic::FormulaId> formulas,
                                                     unsigned jobs, base::LimitGuard& guard) {
  assert(!formulas.empty());
  Batch batch;
  std::vector<std::vector<logic::FormulaId>> subformulas;  // of the batch's members
  for (std::size_t f = 0; f < formulas.size() && batch.width < FewBits::kCount; ++f) {
    Alone alone(flow.model(), pool, formulas[f]);
    if (f == 0) {
      batch.shape = std::make_shared<const Shape>(std::move(alone.shape));
      batch.props.resize(alone.props.size());
    } else if (alone.shape != *batch.shape) {
      continue;
    }
    for (std::size_t slot = 0; slot < alone.props.size(); ++slot) {
      batch.props[slot].push_back(alone.props[slot]);
    }
    batch.members.push_back(f);
    ++batch.width;
    subformulas.push_back(std::move(alone.subformulas));
  }
  std::vector<explain::Labelling> found =
      BatchChecker<FewBits>(flow.model(), flow, nullptr, batch, jobs, guard, Exits::All).label();
  std::vector<std::optional<explain::Labelling>> labellings(formulas.size());
  for (std::size_t m = 0; m < batch.width; ++m) {
    found[m].subformulas = std::move(subformulas[m]);
    labellings[batch.members[m]] = std::move(found[m]);
  }
  return labellings;
}

}  // namespace nestor::engine::summary
