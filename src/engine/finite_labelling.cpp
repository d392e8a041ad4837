#include "engine/finite_labelling.h"

#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>

namespace nestor {

Labelling finite_labelling(const Rsm& model, const FormulaPool& pool, FormulaId normal,
                           std::vector<BitSet> values) {
  assert(model.box_count() == 0);
  Labelling labelling;
  labelling.add_instance(model, model.initial_component());
  labelling.subformulas = subformulas(pool, normal);
  labelling.values = std::move(values);
  assert(labelling.values.size() == labelling.subformulas.size());
  const std::span<const NodeId> exits = model.exits(model.initial_component());
  for (const FormulaId f : labelling.subformulas) {
    const Op op = pool[f].op;
    BitSet& context = labelling.contexts.emplace_back(is_existential(op) ? labelling.exit_rows : 0);
    if (op == Op::EG) {
      context.set_all();
    } else if (op == Op::EX) {
      const auto operand = std::ranges::lower_bound(labelling.subformulas, pool[f].left);
      const BitSet& next =
          labelling.values[static_cast<std::size_t>(operand - labelling.subformulas.begin())];
      for (std::size_t x = 0; x < exits.size(); ++x) {
        if (next.test(labelling.node_row(model, Labelling::kRoot, exits[x]))) {
          context.set(labelling.exit_row(Labelling::kRoot, x));
        }
      }
    }
  }
  return labelling;
}

}  // namespace nestor
